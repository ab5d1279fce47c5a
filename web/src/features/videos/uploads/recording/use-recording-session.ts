import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Recorder } from '../../../../lib/capture/recorder.ts'
import { RecordingSession } from './recording-session.ts'

/** A session of this page; leaving the page ends it. */
export function useRecordingSession(): RecordingSession | undefined {
  const [session, setSession] = useState<RecordingSession>()
  useEffect(() => {
    const opened = new RecordingSession()
    // Its worker and its canvas must not be made while rendering.
    // oxlint-disable-next-line react/set-state-in-effect
    setSession(opened)
    return () => opened.close()
  }, [])
  return session
}

export const useRecordingState = (session: RecordingSession) =>
  useSyncExternalStore(session.subscribe, session.state)

export const useRecorderState = (recorder: Recorder) =>
  useSyncExternalStore(recorder.subscribe, recorder.state)

/** Whole seconds of the recording so far. */
export function usePosition(recorder: Recorder): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor(recorder.positionMs / 1000)), 200)
    return () => clearInterval(timer)
  }, [recorder])
  return seconds
}
