import { useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The state of a link that opens a modal over the page on which it stands. */
export const overPage = { isOverPage: true }

/**
 * Closes a modal that has an address of its own. Opened from its page, it leaves no trace in the history; opened by its
 * address, it makes way for the page.
 */
export function useCloseModal(pagePath: string): () => void {
  const navigate = useNavigate()
  const state = useLocation().state as { isOverPage?: boolean } | null
  const isClosing = useRef(false)
  return () => {
    // A second press comes before the first step back is taken, and would lead past the page.
    if (isClosing.current) return
    isClosing.current = true
    if (state?.isOverPage) void navigate(-1)
    else void navigate(pagePath, { replace: true, preventScrollReset: true })
  }
}
