import type { RefObject } from 'react'
import { useLocation, useOutletContext, useParams } from 'react-router'
import type { PlayerHandle } from '../features/playback/video-player.tsx'
import { ShareAddress } from '../features/videos/share-address.tsx'
import { useCloseModal } from '../lib/use-close-modal.ts'
import { paths } from '../paths.ts'
import { Dialog } from '../ui/dialog.tsx'

/** The address of a video, to copy, over the page that goes on playing. */
export function ShareDialog() {
  const { videoId = '' } = useParams()
  const { pathname } = useLocation()
  const player = useOutletContext<RefObject<PlayerHandle | null>>()
  const close = useCloseModal(paths.watch(videoId))
  return (
    <Dialog title="Share" onClose={close} width={600}>
      <ShareAddress
        address={`${location.origin}${pathname.replace(/share\/?$/, '')}`}
        currentSeconds={() => player.current?.currentSeconds() ?? 0}
      />
    </Dialog>
  )
}
