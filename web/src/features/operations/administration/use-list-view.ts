import { useSearchParams } from 'react-router'
import { paths } from '../../../paths.ts'
import type { ListView } from './api.ts'

/** Address of the comments of a person. */
export const commentsPathOf = (author: string) =>
  `${paths.administrationOf('comments')}?${new URLSearchParams({ author })}`

/** Search, filter and page of a list, stored in the URL. Another search or filter begins at the first page. */
export function useListView(): [ListView, (change: Partial<ListView>) => void] {
  const [params, setParams] = useSearchParams()
  const view: ListView = {
    text: params.get('text') ?? '',
    show: params.get('show') ?? '',
    author: params.get('author') ?? '',
    page: Math.max(0, Number.parseInt(params.get('page') ?? '0', 10) || 0),
  }
  const setView = (change: Partial<ListView>) => {
    const { text, show, author, page } = { ...view, page: 0, ...change }
    setParams(
      {
        ...(text ? { text } : {}),
        ...(show ? { show } : {}),
        ...(author ? { author } : {}),
        ...(page > 0 ? { page: String(page) } : {}),
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [view, setView]
}
