import { useEffect, useState, useSyncExternalStore } from 'react'
import { BroadcastSession } from './broadcast-session.ts'

/** A broadcast of this page; leaving the page ends it. */
export function useBroadcast(): BroadcastSession | undefined {
  const [session, setSession] = useState<BroadcastSession>()
  useEffect(() => {
    const opened = new BroadcastSession()
    // Its worker and its canvas must not be made while rendering.
    // oxlint-disable-next-line react/set-state-in-effect
    setSession(opened)
    return () => opened.close()
  }, [])
  return session
}

export const useBroadcastState = (session: BroadcastSession) =>
  useSyncExternalStore(session.subscribe, session.state)
