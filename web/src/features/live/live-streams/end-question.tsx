import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

/** Asks before the own stream ends, and says what becomes of it. */
export function EndQuestion({
  keepsRecording,
  onEnd,
  onClose,
  children,
}: {
  /** Undefined while the stream has not begun for viewers. */
  keepsRecording: boolean | undefined
  onEnd: () => void
  onClose: () => void
  /** Further consequences, for a stream that viewers see. */
  children?: ReactNode
}) {
  return (
    <ConfirmDialog title={t`End the stream?`} confirmLabel={t`End`} onConfirm={onEnd} onClose={onClose}>
      {keepsRecording !== undefined && (
        <p>
          {keepsRecording
            ? t`It stays as a video, at the same address.`
            : t`It is deleted, with its page and its chat: you chose not to keep it.`}{' '}
          {children}
        </p>
      )}
    </ConfirmDialog>
  )
}
