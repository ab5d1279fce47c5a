import { type RefObject, useRef, useState } from 'react'
import { useLocation, useNavigate, useOutletContext, useParams } from 'react-router'
import type { PlayerHandle } from '../features/playback/video-player.tsx'
import { ShareAddress } from '../features/videos/share-address.tsx'
import { paths } from '../paths.ts'
import { Dialog } from '../ui/dialog.tsx'

/** The address of a video, to copy, over the page that goes on playing. */
export function ShareDialog() {
  const { videoId = '' } = useParams()
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  const player = useOutletContext<RefObject<PlayerHandle | null>>()
  const [startSeconds] = useState(() => Math.floor(player.current?.currentSeconds() ?? 0))
  const isClosing = useRef(false)

  function close() {
    // A second press comes before the first step back is taken, and would lead past the page.
    if (isClosing.current) return
    isClosing.current = true
    // Opened from the page, it leaves no trace in the history; opened by its address, it makes way for the page.
    if ((state as { isOverWatch?: boolean } | null)?.isOverWatch) void navigate(-1)
    else void navigate(paths.watch(videoId), { replace: true, preventScrollReset: true })
  }
  return (
    <Dialog title="Share" onClose={close}>
      <ShareAddress
        address={`${location.origin}${pathname.replace(/share\/?$/, '')}`}
        startSeconds={startSeconds}
      />
    </Dialog>
  )
}
