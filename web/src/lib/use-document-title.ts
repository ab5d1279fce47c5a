import { useLayoutEffect } from 'react'

/** Names the page in the tab and the history: "About - Kinora", as the server names it. */
export function useDocumentTitle(title?: string): void {
  useLayoutEffect(() => {
    document.title = title ? `${title} - Kinora` : 'Kinora'
  }, [title])
}
