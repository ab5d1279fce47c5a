import type { Video } from '@kinora/contract/videos.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { streamUrlOf } from '../../features/playback/engine/stream-url.ts'
import { UploadForm } from '../../features/uploads/upload-form.tsx'
import { useDocumentTitle } from '../../lib/browser/use-document-title.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDashboardModal } from './use-dashboard-modal.ts'

/** In the file of the watch page. */
const loadStreams = () => import('../../features/playback/engine/preload-stream.ts')

/**
 * The stream goes before the page: its few short steps would each wait for a piece of the page to be drawn, and the browser
 * decodes the first pictures while the page is drawn behind them. Where the stream is slow, the page does not wait for it.
 */
const HEAD_START_MS = 200

/** Publishes a video, in a modal over the dashboard. Leaving it, by whatever way, aborts the upload. */
export function UploadDialog() {
  useDocumentTitle('Upload video')
  const client = useQueryClient()
  const navigate = useNavigate()

  // Where a finished upload leads, fetched with the player while one fills in the form: nobody waits for it then.
  const streams = useRef<ReturnType<typeof loadStreams>>(undefined)
  useEffect(() => {
    import('../watch/watch-page.tsx').catch(() => undefined)
    streams.current = loadStreams()
    streams.current.catch(() => undefined)
  }, [])

  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])

  const close = useDashboardModal()

  async function showVideo(video: Video) {
    // Refetched when the user returns to the dashboard.
    for (const key of ['videos', 'dashboard']) {
      void client.invalidateQueries({ queryKey: [key], refetchType: 'none' })
    }
    const started = streams.current?.then(({ preloadStream }) => preloadStream(streamUrlOf(video._id)))
    const late = new Promise((resolve) => setTimeout(resolve, HEAD_START_MS))
    await Promise.race([started, late]).catch(() => undefined)
    // The emptied form is no place to come back to.
    if (isOpen.current) void navigate(paths.watch(video._id), { replace: true })
  }

  return (
    <Dialog title="Upload video" onClose={() => close()} width={880} closesOnOutsideClick={false}>
      <UploadForm onDone={(video) => void showVideo(video)} onCancel={() => close()} />
    </Dialog>
  )
}
