import { call } from '@kinora/contract/client.ts'
import { deleteVideo, type Video } from '@kinora/contract/videos.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useAuth } from '../features/auth/use-auth.ts'
import { dashboardQuery, withoutVideo } from '../features/dashboard/api.ts'
import { failureMessage } from '../lib/failure-message.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { OwnVideo } from './own-video.tsx'
import styles from './delete-video-dialog.module.css'

/** Asks before a video is deleted. Whatever the server says, the dashboard is shown again. */
export function DeleteVideoDialog() {
  return <OwnVideo>{(video) => <DeleteVideo video={video} />}</OwnVideo>
}

function DeleteVideo({ video }: { video: Video }) {
  useDocumentTitle('Delete video')
  const { channelUsername } = useAuth()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isConfirmed = useRef(false)
  const cancelButton = useRef<HTMLButtonElement>(null)

  const showDashboard = (failure?: string) =>
    void navigate(paths.dashboard(channelUsername ?? ''), {
      replace: true,
      preventScrollReset: true,
      state: failure === undefined ? null : { failure },
    })

  const deletion = useMutation({
    mutationFn: () => call(deleteVideo, { params: { id: video._id } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['videos'], type: 'inactive' })
      void client.resetQueries({ queryKey: ['older-videos'] })
      client.setQueryData(dashboardQuery.queryKey, (shown) => shown && withoutVideo(shown, video._id))
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['dashboard'] }),
  })

  // These do not fire once the dialog is closed: nobody is taken away from where they went meanwhile.
  const confirm = () => {
    // A second press may come before the first one has rendered.
    if (isConfirmed.current) return
    isConfirmed.current = true
    deletion.mutate(undefined, {
      onSuccess: () => showDashboard(),
      onError: (error) => showDashboard(`${video.title}: ${failureMessage(error)}`),
    })
  }

  // The safe answer is the one that Enter gives.
  useEffect(() => cancelButton.current?.focus(), [])

  return (
    <Dialog title="Delete video" onClose={() => showDashboard()} width={440}>
      <div className={styles['video']}>
        <img src={video.thumbnail} width={120} height={68} alt="" />
        <p>
          <b dir="auto">{video.title}</b> goes with its comments and likes. This cannot be undone.
        </p>
      </div>
      <DialogActions>
        <Button ref={cancelButton} onClick={() => showDashboard()}>
          Cancel
        </Button>
        <Button variant="danger" disabled={deletion.isPending} onClick={confirm}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
