import { t } from '@lingui/core/macro'
import type { Blocker } from 'react-router'
import { useUnsavedChanges } from '../../lib/forms/use-unsaved-changes.ts'
import { Button } from '../button.tsx'
import { Dialog, DialogActions } from '../dialog.tsx'

/** Asks what happens to unsaved changes while a navigation is held back. */
export function UnsavedChangesDialog({ blocker, onDiscard }: { blocker: Blocker; onDiscard?: () => void }) {
  if (blocker.state !== 'blocked') return null
  const discard = () => {
    onDiscard?.()
    blocker.proceed()
  }
  return (
    <Dialog title={t`Unsaved changes`} onClose={blocker.reset} width={440}>
      <p>{t`Your changes are not saved.`}</p>
      <DialogActions>
        <Button onClick={blocker.reset}>{t`Keep editing`}</Button>
        <Button variant="danger" onClick={discard}>{t`Discard changes`}</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Asks before a page with unsaved changes is left, while it is mounted. */
export function UnsavedChanges() {
  return <UnsavedChangesDialog blocker={useUnsavedChanges(true)} />
}
