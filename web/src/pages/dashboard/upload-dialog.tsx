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
import { dashboardKeys, videoKeys } from '../../lib/query-keys.ts'

/** In the file of the watch page. */
const loadStreams = () => import('../../features/playback/engine/preload-stream.ts')

/**
 * Opens the stream before the page: its short tasks would otherwise queue behind rendering, and the browser can decode the
 * first frames meanwhile. The page does not wait for a slow stream.
 */
const HEAD_START_MS = 200

/** Upload dialog over the dashboard. Leaving it aborts the upload. */
export function UploadDialog() {
  useDocumentTitle('Upload video')
  const client = useQueryClient()
  const navigate = useNavigate()

  // Prefetches the watch page and the player while the form is filled in.
  const streams = useRef<ReturnType<typeof loadStreams>>(undefined)
  useEffect(() => {
    // Failed prefetches are repeated and reported by the navigation.
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
    for (const queryKey of [videoKeys.lists, dashboardKeys.dashboard])
      void client.invalidateQueries({ queryKey, refetchType: 'none' })
    const started = streams.current?.then(({ preloadStream }) => preloadStream(streamUrlOf(video._id)))
    const late = new Promise((resolve) => setTimeout(resolve, HEAD_START_MS))
    // The page of the video reports a stream that fails.
    await Promise.race([started, late]).catch(() => undefined)
    // Replaces the history entry, because the emptied form is of no use.
    if (isOpen.current) void navigate(paths.watch(video._id), { replace: true })
  }

  return (
    <Dialog title="Upload video" onClose={() => close()} width={880} closesOnOutsideClick={false}>
      <UploadForm onDone={(video) => void showVideo(video)} onCancel={() => close()} />
    </Dialog>
  )
}
