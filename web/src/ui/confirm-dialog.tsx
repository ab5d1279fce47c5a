import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button, type ButtonVariant } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

/** Asks before something that cannot be undone: in red, unless the variant says that nothing is destroyed. */
export function ConfirmDialog({
  title,
  confirmLabel,
  cancelLabel = t`Cancel`,
  variant = 'danger',
  onConfirm,
  onClose,
  children,
}: {
  title: string
  confirmLabel: string
  /** Where "Cancel" would mean both. */
  cancelLabel?: string | undefined
  variant?: ButtonVariant | undefined
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={title} onClose={onClose} width={440}>
      {children}
      <DialogActions>
        <Button onClick={onClose}>{cancelLabel}</Button>
        <Button
          variant={variant}
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
