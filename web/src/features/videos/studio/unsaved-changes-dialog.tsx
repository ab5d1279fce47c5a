import { t } from '@lingui/core/macro'
import type { Blocker } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'

/** Asks what happens to unsaved changes while a navigation is held back. */
export function UnsavedChangesDialog({ blocker, onDiscard }: { blocker: Blocker; onDiscard?: () => void }) {
  if (blocker.state !== 'blocked') return null
  const discard = () => {
    onDiscard?.()
    blocker.proceed()
  }
  return (
    <Dialog title={t`Unsaved changes`} onClose={blocker.reset} width={440}>
      <p>{t`Your changes to this video are not saved.`}</p>
      <DialogActions>
        <Button onClick={blocker.reset}>{t`Keep editing`}</Button>
        <Button variant="danger" onClick={discard}>{t`Discard changes`}</Button>
      </DialogActions>
    </Dialog>
  )
}
