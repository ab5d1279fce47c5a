import { useLayoutEffect, useState } from 'react'

/** Active titles by depth; the innermost wins. */
const titles = new Map<number, string>()
let drawn = 0

/**
 * Names the page in the tab and the history: "About · Kinora", as the server names it. Of what names itself the innermost
 * counts, as a modal over its page, whichever is there first.
 */
export function useDocumentTitle(title?: string): void {
  // Parents render before their children, although their effects run later.
  const [depth] = useState(() => (drawn += 1))
  useLayoutEffect(() => {
    if (title !== undefined) titles.set(depth, title)
    showTitle()
    return () => {
      titles.delete(depth)
      showTitle()
    }
  }, [depth, title])
}

function showTitle(): void {
  const innermost = titles.get(Math.max(...titles.keys()))
  document.title = innermost ? `${innermost} · Kinora` : 'Kinora'
}
