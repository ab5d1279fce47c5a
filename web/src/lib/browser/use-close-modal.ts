import { useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** State of a link that opens a modal over its page. */
export const overPage = { isOverPage: true }

/**
 * Closes a modal that has its own URL. If it was opened from its page, goes back; if it was opened by URL, replaces the
 * entry with the page.
 */
export function useCloseModal(pagePath: string): () => void {
  const navigate = useNavigate()
  const state = useLocation().state as { isOverPage?: boolean } | null
  const isClosing = useRef(false)
  return () => {
    // A second press may precede the navigation of the first, and would go back twice.
    if (isClosing.current) return
    isClosing.current = true
    if (state?.isOverPage) void navigate(-1)
    else void navigate(pagePath, { replace: true, preventScrollReset: true })
  }
}
