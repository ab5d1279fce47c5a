import { useNavigate, useParams } from 'react-router'
import { paths } from '../paths.ts'
import { Dialog } from '../ui/dialog.tsx'

/** The address of a video, to copy. */
export function ShareDialog() {
  const { videoId = '' } = useParams()
  const navigate = useNavigate()
  return (
    <Dialog title="Share" onClose={() => void navigate(paths.watch(videoId), { preventScrollReset: true })}>
      {null}
    </Dialog>
  )
}
