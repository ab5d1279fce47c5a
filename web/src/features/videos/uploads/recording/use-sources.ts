import { useEffect, useState } from 'react'
import { captureFailureOf } from '../../../../lib/capture/devices.ts'
import { isAllowed } from '../../../../lib/capture/permissions.ts'
import type { Recorder, RecorderSource } from '../../../../lib/capture/recorder.ts'
import { describeFailure } from './notice-text.ts'

/** Opens a source, of a device or of the one that the browser prefers. */
export type OpenSource = (source: RecorderSource, deviceId: string) => void

/** Opens sources of a recorder, and says why one could not be opened. A microphone that was allowed before is on. */
export function useSources(recorder: Recorder, onOpen: () => void): { open: OpenSource; failure: string } {
  const [failure, setFailure] = useState('')
  useEffect(() => {
    const begin = async () => {
      // It can be chosen if it fails.
      if (await isAllowed('microphone')) await recorder.captureMicrophone().catch(() => undefined)
    }
    void begin()
  }, [recorder])

  async function tryOpen(source: RecorderSource, id: string): Promise<void> {
    const deviceId = id === '' || id === 'preferred' ? undefined : id
    setFailure('')
    onOpen()
    try {
      if (source === 'screen') await recorder.captureScreen()
      else if (source === 'camera') await recorder.captureCamera(deviceId)
      else await recorder.captureMicrophone(deviceId)
    } catch (error) {
      setFailure(describeFailure(source, captureFailureOf(error)))
    }
  }
  return { open: (source, deviceId) => void tryOpen(source, deviceId), failure }
}
