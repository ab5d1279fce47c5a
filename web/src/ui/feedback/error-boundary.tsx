import { Component, type ReactNode } from 'react'
import styles from './error-boundary.module.css'

interface ErrorBoundaryProps {
  /** Sentence shown in place of children that fail to render. */
  fallback: string
  children: ReactNode
}

/**
 * Replaces an entry that fails to render, for example because a response lacks a field, and keeps the rest of the page.
 * React logs the error.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    const { fallback, children } = this.props
    return this.state.hasFailed ? <p className={styles['fallback']}>{fallback}</p> : children
  }
}
