import { Component, type ReactNode } from 'react'

/**
 * Keeps to itself what cannot be drawn: one entry of which an answer tells too little is left out, and the page around it
 * stays. React writes the error to the console.
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
