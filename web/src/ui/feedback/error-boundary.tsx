import { Component, type ReactNode } from 'react'

/**
 * Omits an entry that fails to render, for example because a response lacks a field, and keeps the rest of the page. React
 * logs the error.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}
