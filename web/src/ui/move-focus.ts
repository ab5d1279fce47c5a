import type { KeyboardEvent } from 'react'

/** Key handler of an ordered list, or of its links: arrow keys, Home and End move the focus among the links. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...(event.currentTarget.closest('ol')?.querySelectorAll('a') ?? [])]
  const at = links.findIndex((link) => link === document.activeElement)
  const target = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: links.length - 1 }[event.key]
  if (at === -1 || target === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  // the player has the same keys
  event.preventDefault()
  links[target]?.focus()
}
