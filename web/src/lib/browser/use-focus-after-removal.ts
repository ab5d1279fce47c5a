import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in a list whose button removes its own row: on that button of the row that follows, else of the last
 * one, or on the list if it is empty. Call the returned function with the button that is pressed. `rows` changes with
 * what is shown.
 */
export function useFocusAfterRemoval(
  list: RefObject<HTMLElement | null>,
  selector: string,
  rows: unknown,
): (pressed: Element) => void {
  const place = useRef<number>(undefined)
  useLayoutEffect(() => {
    // The row is still there, or the focus has moved on.
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
