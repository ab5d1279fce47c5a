import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
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
  return (
    <>
      <div className={styles['bar']}>
        <span role="status">{notice.text}</span>
        {notice.undo && <Button onClick={notice.undo}>{t`Undo`}</Button>}
        {hint && <small className={styles['hint']}>{hint}</small>}
        {children}
      </div>
      <Alert>{notice.error}</Alert>
    </>
  )
}
