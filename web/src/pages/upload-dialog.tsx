import type { Video } from '@kinora/contract/videos.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { streamUrlOf } from '../features/playback/api.ts'
import { UploadForm } from '../features/uploads/upload-form.tsx'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { paths } from '../paths.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useDashboardModal } from './use-dashboard-modal.ts'

/** In the file of the watch page. */
const loadStreams = () => import('../features/playback/hls-stream.ts')

/** Publishes a video, in a modal over the dashboard. Leaving it, by whatever way, aborts the upload. */
export function UploadDialog() {
  useDocumentTitle('Upload video')
  const client = useQueryClient()
  const navigate = useNavigate()

  // Where a finished upload leads, fetched with the player while one fills in the form: nobody waits for it then.
  const streams = useRef<ReturnType<typeof loadStreams>>(undefined)
  useEffect(() => {
    import('./watch-page.tsx').catch(() => undefined)
    streams.current = loadStreams()
    streams.current.catch(() => undefined)
  }, [])

  const close = useDashboardModal()

  function showVideo(video: Video) {
    // beside the page: it takes about as long to draw as the stream takes to begin
    streams.current
      ?.then(({ openStreamEarly }) => openStreamEarly(streamUrlOf(video._id)))
      .catch(() => undefined)
    // The dashboard is left, and asks anew when one comes back.
    for (const key of ['videos', 'dashboard']) {
      void client.invalidateQueries({ queryKey: [key], refetchType: 'none' })
    }
    // In a turn of its own: the stream's first request is out by then, and is answered while the page is drawn. The emptied
    // form is no place to come back to.
    setTimeout(() => void navigate(paths.watch(video._id), { replace: true }))
  }

  return (
    <Dialog title="Upload video" onClose={() => close()} width={880} closesOnPressBeside={false}>
      <UploadForm onDone={showVideo} onCancel={() => close()} />
    </Dialog>
  )
}
