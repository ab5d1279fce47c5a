import { type RefObject, useEffect, useRef } from 'react'

/** For a form in a dialog: one starts in its first field, except where that would bring up an on-screen keyboard. */
export function useInitialFocus(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const first = [...(form.current?.elements ?? [])].find((element) => element.matches('input, textarea'))
    if (first instanceof HTMLElement && matchMedia('(hover: hover)').matches) first.focus()
  }, [])
  return form
}
