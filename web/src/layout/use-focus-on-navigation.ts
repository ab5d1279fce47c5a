import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { pageOf } from '../paths.ts'

/** Moves the focus to the content of a new page, as a page load would. Modals and tabs of one page keep it. */
export function useFocusOnNavigation(): void {
  const page = pageOf(useLocation().pathname)
  const lastPage = useRef(page)
  useLayoutEffect(() => {
    if (lastPage.current === page) return
    lastPage.current = page
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [page])
}
