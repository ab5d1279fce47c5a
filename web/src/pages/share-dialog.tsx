import { useLocation, useNavigate, useParams } from 'react-router'
import { ShareAddress } from '../features/videos/share-address.tsx'
import { paths } from '../paths.ts'
import { Dialog } from '../ui/dialog.tsx'

/** The address of a video, to copy, over the page that goes on playing. */
export function ShareDialog() {
  const { videoId = '' } = useParams()
  const { pathname, state } = useLocation()
  const navigate = useNavigate()

  function close() {
    // Opened from the page, it leaves no trace in the history; opened by its address, it makes way for the page.
    if ((state as { isOverWatch?: boolean } | null)?.isOverWatch) void navigate(-1)
    else void navigate(paths.watch(videoId), { replace: true, preventScrollReset: true })
  }
  return (
    <Dialog title="Share" onClose={close}>
      <ShareAddress address={`${location.origin}${pathname.replace(/share\/?$/, '')}`} />
    </Dialog>
  )
}
