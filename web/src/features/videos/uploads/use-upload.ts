import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ApiError } from '@kinora/contract/client.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import type { SendOptions } from './transfer/upload-draft.ts'
import { createSpeedometer, type UploadProgress } from './upload-progress.ts'

export type UploadState =
  | { phase: 'idle' }
  | { phase: 'uploading'; progress: UploadProgress; isInterrupted: boolean }
  | { phase: 'failed'; message: string }

const connectionLost = () => t`Connection lost. Your entries are still here. Try again.`

/** Runs one upload at a time. Unmounting aborts it. */
export function useUpload(onDone: (video: Video) => void) {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const running = useRef<AbortController>(undefined)

  useEffect(() => () => running.current?.abort(), [])

  // The browser asks before the tab is closed. Navigation within the site aborts without asking.
  const isUploading = state.phase === 'uploading'
  useLayoutEffect(() => {
    if (!isUploading) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUploading])

  /** Sends `totalBytes` with `send`, which returns the video. */
  async function start(send: (options: SendOptions) => Promise<Video>, totalBytes: number) {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const measure = createSpeedometer()
    const report = (sentBytes: number, ofBytes: number) => {
      if (signal.aborted) return
      const progress = measure(sentBytes, ofBytes, performance.now())
      setState({ phase: 'uploading', progress, isInterrupted: false })
    }
    report(0, totalBytes)
    try {
      const video = await send({
        signal,
        onSent: report,
        onInterrupted: () =>
          setState((shown) => (shown.phase === 'uploading' ? { ...shown, isInterrupted: true } : shown)),
      })
      if (signal.aborted) return
      // A proxy may respond with 200 and no video.
      if (!video?._id) throw new ApiError(502, '')
      onDone(video)
    } catch (error) {
      if (signal.aborted) return
      setState({
        phase: 'failed',
        message: error instanceof ApiError ? failureMessage(error) : connectionLost(),
      })
    }
  }

  /** Aborts a running upload, and forgets the state of one that has ended. */
  function reset() {
    running.current?.abort()
    setState({ phase: 'idle' })
  }

  const forgetFailure = () => setState((shown) => (shown.phase === 'failed' ? { phase: 'idle' } : shown))

  return { state, start, reset, forgetFailure }
}
