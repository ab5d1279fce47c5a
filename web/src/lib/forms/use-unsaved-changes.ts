import { useEffect } from 'react'
import { type Blocker, useBlocker } from 'react-router'

/** Location state of a navigation that discards unsaved changes without asking. */
export const discardsChanges = { discardsChanges: true }

/**
 * Holds back navigation while a form has unsaved changes: within the site by the returned blocker, and by the
 * browser's own question when the tab is closed.
 */
export function useUnsavedChanges(isDirty: boolean): Blocker {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
  return useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && currentLocation.pathname !== nextLocation.pathname && nextLocation.state !== discardsChanges,
  )
}
