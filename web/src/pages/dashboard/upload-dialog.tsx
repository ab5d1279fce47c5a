import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { UploadForm } from '../../features/videos/uploads/upload-form.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { loadWatchPage } from '../watch/load-watch-page.ts'
import { useDashboardModal } from './use-dashboard-modal.ts'
import { videoKeys } from '../../lib/query-keys.ts'
import { dashboardKeys } from '../../lib/studio-keys.ts'

/** Upload dialog over the dashboard. Leaving it aborts the upload. */
export function UploadDialog() {
  const client = useQueryClient()
  const navigate = useNavigate()

  // Prefetches the watch page and the player while the form is filled in. The navigation repeats and reports a failure.
  useEffect(() => {
    loadWatchPage().catch(() => undefined)
  }, [])

  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])

  const close = useDashboardModal()

  function showVideo(video: Video) {
    // Refetched when the user returns to the dashboard.
    for (const queryKey of [videoKeys.lists, dashboardKeys.dashboard])
      void client.invalidateQueries({ queryKey, refetchType: 'none' })
    // Replaces the history entry, because the emptied form is of no use.
    if (isOpen.current) void navigate(paths.watch(video._id), { replace: true })
  }

  return (
    <Dialog title={t`Upload video`} onClose={() => close()} width={880} closesOnOutsideClick={false}>
      <PageTitle title={t`Upload video`} />
      <UploadForm onDone={showVideo} onCancel={() => close()} />
    </Dialog>
  )
}
