import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useParams } from 'react-router'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { ownVideoQuery, removeFromDashboard } from '../../features/videos/studio/dashboard/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import styles from './delete-video-dialog.module.css'
import { useDashboardModal } from './use-dashboard-modal.ts'
import { videoKeys } from '../../lib/query-keys.ts'
import { dashboardKeys } from '../../lib/studio-keys.ts'

/**
 * Confirms the deletion of a video. The URL may name a video that does not exist or belongs to someone else; the dialog
 * says so. The dashboard follows in any case, with the error of a failed deletion.
 */
export function DeleteVideoDialog() {
  const { authData } = useAuth()
  return authData && <DeleteVideo owner={authData} />
}

function DeleteVideo({ owner }: { owner: User }) {
  const { videoId = '' } = useParams()
  const client = useQueryClient()
  const isConfirmed = useRef(false)
  const cancelButton = useRef<HTMLButtonElement>(null)
  const { data: video } = useQuery(ownVideoQuery(client, owner, videoId))

  const showDashboard = useDashboardModal()

  const deletion = useMutation({
    mutationFn: () => call(deleteVideo, { params: { id: videoId } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: videoKeys.lists, type: 'inactive' })
      removeFromDashboard(client, videoId)
    },
    onSettled: () => void client.invalidateQueries({ queryKey: dashboardKeys.dashboard }),
  })

  // Callbacks of `mutate` do not run after unmounting, so a closed dialog does not navigate.
  const confirm = () => {
    // A second click may arrive before the first one renders.
    if (isConfirmed.current) return
    isConfirmed.current = true
    deletion.mutate(undefined, {
      onSuccess: () => showDashboard(),
      onError: (error) =>
        showDashboard(video ? `${video.title}: ${failureMessage(error)}` : failureMessage(error)),
    })
  }

  // Enter cancels by default.
  useEffect(() => {
    cancelButton.current?.focus()
  }, [])

  return (
    <Dialog title={t`Delete video`} onClose={() => showDashboard()} width={440}>
      <PageTitle title={t`Delete video`} />
      <div className={styles['video']}>
        {video && <img src={video.thumbnail} width={120} height={68} alt="" />}
        {video === null ? (
          <p>{t`This video no longer exists or belongs to someone else.`}</p>
        ) : (
          <p>
            <Trans>
              <b dir="auto">{video?.title ?? 'This video'}</b> will be deleted with its comments and likes.
              This cannot be undone.
            </Trans>
            {video?.isLive && <> {t`It is live: the stream ends for its viewers.`}</>}
          </p>
        )}
      </div>
      <DialogActions>
        <Button ref={cancelButton} onClick={() => showDashboard()}>{t`Cancel`}</Button>
        <Button
          variant={video === null ? 'quiet' : 'danger'}
          disabled={deletion.isPending}
          onClick={confirm}
        >{t`Delete`}</Button>
      </DialogActions>
    </Dialog>
  )
}
