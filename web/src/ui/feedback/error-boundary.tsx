import type { ReactNode } from 'react'
import { ErrorBoundary as Boundary } from 'react-error-boundary'
import styles from './error-boundary.module.css'

/**
 * Replaces an entry that fails to render, for example because a response lacks a field, and keeps the rest of the page.
 * React logs the error. `fallback` is the sentence shown instead.
 */
export function ErrorBoundary({ fallback, children }: { fallback: string; children: ReactNode }) {
  return <Boundary fallback={<p className={styles['fallback']}>{fallback}</p>}>{children}</Boundary>
}
