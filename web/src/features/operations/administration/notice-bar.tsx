import { t } from '@lingui/core/macro'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import styles from './notice-bar.module.css'
import type { Notice } from './use-actions.ts'

/** The result of the last action, with Undo; `children` are actions for selected entries. */
export function NoticeBar({
  notice,
  hint,
  children,
}: {
  notice: Notice
  /** Shown on devices with a keyboard. */
  hint?: string | undefined
  children?: ReactNode
}) {
  const status = useRef<HTMLSpanElement>(null)
  const { text, undo, error } = notice
  function takeBack() {
    // the focused button disappears
    status.current?.focus()
    undo?.()
  }
  return (
    <>
      <div className={styles['bar']}>
        <span ref={status} role="status" tabIndex={-1}>
          {text}
        </span>
        {undo && <Button onClick={takeBack}>{t`Undo`}</Button>}
        {hint && <small className={styles['hint']}>{hint}</small>}
        {children}
      </div>
      <Alert>{error}</Alert>
    </>
  )
}
