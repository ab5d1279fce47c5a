import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  title,
  confirmLabel,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  confirmLabel: string
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={title} onClose={onClose} width={440}>
      {children}
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          variant="danger"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
