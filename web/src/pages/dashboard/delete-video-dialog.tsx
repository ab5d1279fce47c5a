import { call } from '@kinora/contract/client.ts'
import type { User } from '@kinora/contract/users.ts'
import { deleteVideo } from '@kinora/contract/videos.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useParams } from 'react-router'
import { useAuth } from '../../features/auth/use-auth.ts'
import { ownVideoQuery, removeFromDashboard } from '../../features/dashboard/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { useDocumentTitle } from '../../lib/browser/use-document-title.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import styles from './delete-video-dialog.module.css'
import { useDashboardModal } from './use-dashboard-modal.ts'

/**
 * Asks before a video is deleted. Its address, and the way forward after a deletion, lead here whatever the video: where
 * there is none of one's own, it says so. Whatever the server says, the dashboard is shown again, with a refusal told.
 */
export function DeleteVideoDialog() {
  const { authData } = useAuth()
  return authData && <DeleteVideo owner={authData} />
}

function DeleteVideo({ owner }: { owner: User }) {
  useDocumentTitle('Delete video')
  const { videoId = '' } = useParams()
  const client = useQueryClient()
  const isConfirmed = useRef(false)
  const cancelButton = useRef<HTMLButtonElement>(null)
  const { data: video } = useQuery(ownVideoQuery(client, owner, videoId))

  const showDashboard = useDashboardModal()

  const deletion = useMutation({
    mutationFn: () => call(deleteVideo, { params: { id: videoId } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['videos'], type: 'inactive' })
      removeFromDashboard(client, videoId)
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
      onError: (error) =>
        showDashboard(video ? `${video.title}: ${failureMessage(error)}` : failureMessage(error)),
    })
  }

  // The safe answer is the one that Enter gives.
  useEffect(() => {
    cancelButton.current?.focus()
  }, [])

  return (
    <Dialog title="Delete video" onClose={() => showDashboard()} width={440}>
      <div className={styles['video']}>
        {video && <img src={video.thumbnail} width={120} height={68} alt="" />}
        {video === null ? (
          <p>This video is gone already, or was never yours. There is nothing to delete.</p>
        ) : (
          <p>
            <b dir="auto">{video?.title ?? 'This video'}</b> goes with its comments and likes. This cannot be
            undone.
          </p>
        )}
      </div>
      <DialogActions>
        <Button ref={cancelButton} onClick={() => showDashboard()}>
          Cancel
        </Button>
        <Button variant={video === null ? 'quiet' : 'danger'} disabled={deletion.isPending} onClick={confirm}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
