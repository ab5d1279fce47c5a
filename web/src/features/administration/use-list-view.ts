import { useSearchParams } from 'react-router'
import type { ListView } from './api.ts'

/** Search, filter and page of a list, stored in the URL. Another search or filter begins at the first page. */
export function useListView(): [ListView, (change: Partial<ListView>) => void] {
  const [params, setParams] = useSearchParams()
  const view: ListView = {
    text: params.get('text') ?? '',
    show: params.get('show') ?? '',
    page: Math.max(0, Number.parseInt(params.get('page') ?? '0', 10) || 0),
  }
  const setView = (change: Partial<ListView>) => {
    const { text, show, page } = { ...view, page: 0, ...change }
    setParams(
      { ...(text ? { text } : {}), ...(show ? { show } : {}), ...(page > 0 ? { page: String(page) } : {}) },
      { replace: true, preventScrollReset: true },
    )
  }
  return [view, setView]
}
