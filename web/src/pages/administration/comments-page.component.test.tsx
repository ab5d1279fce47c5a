import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import type { ListedComment } from '@kinora/contract/operations/moderation.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CommentsPage } from './comments-page.tsx'

afterEach(() => vi.unstubAllGlobals())

const commentOf = (author: string, index: number): ListedComment => ({
  _id: `${author}${index}`,
  content: `Comment ${index} of ${author}`,
  author,
  videoId: 'tide',
  videoTitle: 'Tide',
  createdAt: '2026-03-01T09:00:00.000Z',
  removedAt: null,
  isHeld: false,
  heldBy: null,
})

/** Shows the page at an address; `answer` gets the path, the query and the ids of each request. */
async function show(
  address: string,
  answer: (path: string, query: URLSearchParams, ids: string[]) => unknown,
): Promise<void> {
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, location.href)
    const { ids = [] } = typeof body === 'string' ? (JSON.parse(body) as { ids?: string[] }) : {}
    const data = await answer(pathname, searchParams, ids)
    return data === undefined
      ? Response.json({ success: false, message: 'The server is busy' }, { status: 503 })
      : Response.json({ success: true, data })
  })
  await render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[address]}>
          <CommentsPage />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  )
}

const listed = (comments: ListedComment[], query: URLSearchParams) => {
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit'))]
  return { comments: comments.slice(offset, offset + limit), total: comments.length }
}

test('offers actions on a list only once it has loaded', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await show('/administration/comments', async (_, query) => {
    if (query.get('author') === null) return listed([commentOf('mira', 1), commentOf('ada', 1)], query)
    await held
    return listed([commentOf('mira', 1)], query)
  })
  await page.getByLabelText('Select all').first().click()
  await expect.element(page.getByRole('button', { name: 'Delete', exact: true })).toBeVisible()
  await page.getByRole('link', { name: '@mira' }).click()
  const all = page.getByRole('button', { name: 'Show all comments' })
  await expect.element(all).toBeVisible()
  expect(page.getByRole('button', { name: /Remove all|Delete/ }).elements()).toEqual([])
  release()
  await expect.element(page.getByRole('button', { name: 'Remove all 1…' })).toBeVisible()
  await all.click()
  await expect.element(page.getByRole('heading', { name: /^Comments/ })).toHaveFocus()
})

test('all comments of a person are removed although deleted ones are still listed', async () => {
  const comments = Array.from({ length: 150 }, (_, index) => commentOf('mira', index))
  const deleted: string[][] = []
  await show('/administration/comments?author=mira', (path, query, ids) => {
    if (!path.endsWith('/delete')) return listed(comments, query)
    deleted.push(ids)
    return { ids }
  })
  await page.getByRole('button', { name: 'Remove all 150…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click()
  await expect.element(page.getByText('All comments of @mira removed.')).toBeVisible()
  expect(deleted.map(({ length }) => length)).toEqual([100, 50])
  await expect.element(page.getByRole('heading', { name: /^Comments/ })).toHaveFocus()
})

test('what was removed before a failure can be restored', async () => {
  const comments = Array.from({ length: 150 }, (_, index) => commentOf('mira', index))
  const restored: string[] = []
  await show('/administration/comments?author=mira', (path, query, ids) => {
    if (path.endsWith('/delete')) return ids.length === 100 ? { ids } : undefined
    if (!path.endsWith('/restore')) return listed(comments, query)
    restored.push(...ids)
    return { ids }
  })
  await page.getByRole('button', { name: 'Remove all 150…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server is busy')
  await expect.element(page.getByText('100 comments deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => restored.length).toBe(100)
})

test('comments that wait are approved together, and say why they wait', async () => {
  const approved: string[][] = []
  const waiting = [1, 2, 3].map((index) => ({
    ...commentOf('mira', index),
    isHeld: true,
    heldBy: 'link' as const,
  }))
  await show('/administration/comments?show=held', (path, query, ids) => {
    if (!path.endsWith('/approve')) return listed(waiting, query)
    approved.push(ids)
    return { ids }
  })
  await expect.element(page.getByRole('article').first()).toMatchTextContent('has a link')
  await page.getByLabelText('Select the comment of mira: Comment 1 of mira').click()
  await page.getByLabelText('Select the comment of mira: Comment 3 of mira').click()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await expect.element(page.getByText('2 comments approved.')).toBeVisible()
  expect(approved).toEqual([['mira1', 'mira3']])
})
