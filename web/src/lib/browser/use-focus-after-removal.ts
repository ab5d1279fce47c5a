import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in a list whose rows have a button that removes them. The focus moves to the button of the next row, of
 * the last row if there is no next one, or to the empty list. Call the returned function with the pressed button. `rows`
 * changes whenever the shown rows change.
 */
export function useFocusAfterRemoval(
  list: RefObject<HTMLElement | null>,
  selector: string,
  rows: unknown,
): (pressed: Element) => void {
  const place = useRef<number>(undefined)
  useLayoutEffect(() => {
    // The row still exists, or the focus is elsewhere.
    if (place.current === undefined || document.activeElement !== document.body) return
    const left = buttonsOf(list, selector)
    ;(left[place.current] ?? left.at(-1) ?? list.current)?.focus()
    place.current = undefined
    // The rows trigger the effect, which reads them from the page.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [list, selector, rows])
  return (pressed) => {
    place.current = buttonsOf(list, selector).findIndex((button) => button === pressed)
  }
}

function buttonsOf(list: RefObject<HTMLElement | null>, selector: string): HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
}
