import { t } from '@lingui/core/macro'
import { embedSize } from '@kinora/contract/videos/embed.ts'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useLocation, useOutletContext, useParams } from 'react-router'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { videoQuery } from '../../features/videos/videos/details/api.ts'
import { ShareAddress } from '../../features/videos/videos/details/share-address.tsx'
import { useCloseModal } from '../../lib/browser/use-close-modal.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** Dialog to copy the address or the embed code of a video. Playback continues behind it. */
export function ShareDialog() {
  const { videoId = '' } = useParams()
  const { pathname } = useLocation()
  const player = useOutletContext<RefObject<PlayerHandle | null>>()
  const { data: video } = useQuery(videoQuery(videoId))
  const close = useCloseModal(paths.watch(videoId))
  return (
    <Dialog title={t`Share`} onClose={close} width={600}>
      <ShareAddress
        address={`${location.origin}${pathname.replace(/share\/?$/, '')}`}
        frame={
          video && {
            ...embedSize(video),
            source: `${location.origin}${paths.embed(videoId)}`,
            title: video.title,
          }
        }
        hasChat={video?.hasChat}
        durationSeconds={video?.duration}
        currentSeconds={() => player.current?.currentSeconds() ?? 0}
      />
    </Dialog>
  )
}
