import { type KeyboardEvent, useEffect, useRef } from 'react'

/**
 * Keys and focus of a list whose entries leave it once they are decided: J and K move between the entries, the keys of
 * `decisions` decide the one that has the focus. A decision returns false where it does not apply.
 */
export function useQueue<Entry>(
  entries: readonly Entry[],
  decisions: Readonly<Record<string, (entry: Entry) => boolean | void>>,
) {
  const list = useRef<HTMLUListElement>(null)
  const actedOn = useRef<number>(undefined)

  // The focus moves on to the entry in the place of a decided one.
  useEffect(() => {
    const items = list.current?.children ?? []
    const item = items[Math.min(actedOn.current ?? -1, items.length - 1)]
    if (document.activeElement !== document.body || !(item instanceof HTMLElement)) return
    item.focus()
    actedOn.current = undefined
    // Another list triggers the effect, which reads the page.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [entries])

  // Nothing is left of the list after the last decision.
  useEffect(
    () => () => {
      if (actedOn.current !== undefined && document.activeElement === document.body)
        document.getElementById('main')?.focus()
    },
    [],
  )

  function decide(entry: Entry, how: (entry: Entry) => void) {
    actedOn.current = entries.indexOf(entry)
    how(entry)
  }

  function onKeyDown(event: KeyboardEvent<HTMLUListElement>) {
    const key = event.key.toLowerCase()
    const decision = decisions[key]
    // After a decision the next entry has the focus: a held key would decide the whole list.
    if (event.repeat && decision) return
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return
    const items = [...(list.current?.children ?? [])]
    const index = items.findIndex((item) => item.contains(document.activeElement))
    const entry = entries[index]
    if (!entry) return
    if (key === 'j' || key === 'k') {
      const next = items[index + (key === 'j' ? 1 : -1)]
      if (next instanceof HTMLElement) next.focus()
    } else if (decision) {
      actedOn.current = index
      if (decision(entry) === false) return
    } else return
    event.preventDefault()
  }

  return { list, onKeyDown, decide }
}
