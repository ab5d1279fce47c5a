import { feedImportsPerAccount } from '@kinora/contract/constants.ts'
import { exampleOf } from '@kinora/contract/examples.ts'
import { FeedImport, listFeedImports } from '@kinora/contract/portability/feed-imports.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { FeedImports } from './feed-imports.tsx'

afterEach(() => vi.unstubAllGlobals())

const feed = FeedImport.parse(listFeedImports.result.parse(exampleOf(listFeedImports).data)[0])

/** Responds to each request with these feeds. Returns method, path and body of the changes. */
async function show(feeds: FeedImport[]) {
  const changes: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return Response.json({ success: true, data: feeds })
    changes.push([method, new URL(url, location.href).pathname, JSON.parse(String(body ?? null))])
    return Response.json({ success: true, data: method === 'DELETE' ? null : feeds[0] })
  })
  await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <FeedImports />
    </QueryClientProvider>,
  )
  return changes
}

test('adds a feed with what is chosen', async () => {
  const changes = await show([feed])
  await page.getByLabelText('Address of the feed').fill('https://example.org/feed')
  await page.getByLabelText('Who can watch its videos').selectOptions('unlisted')
  await page.getByLabelText('Import the videos that the feed has now').click()
  await page.getByRole('button', { name: 'Add feed' }).click()
  await expect.element(page.getByText('The feed was added.', { exact: false })).toBeVisible()
  const body = { url: 'https://example.org/feed', visibility: 'unlisted', importsExisting: true }
  expect(changes).toEqual([['POST', '/api/v1/studio/feed-imports', body]])
})

test('keeps an address that is typed while the one before is added', async () => {
  await show([feed])
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const respond = fetch
  vi.stubGlobal('fetch', async (url: string, options: RequestInit = {}) => {
    if (options.method === 'POST') await promise
    return respond(url, options)
  })
  const address = page.getByLabelText('Address of the feed')
  await address.fill('https://example.org/feed')
  await page.getByRole('button', { name: 'Add feed' }).click()
  await address.fill('https://example.org/next')
  resolve(undefined)
  await expect.element(page.getByText('The feed was added.', { exact: false })).toBeVisible()
  await expect.element(address).toHaveValue('https://example.org/next')
  await page.getByRole('button', { name: 'Add feed' }).click()
  await expect.element(address).toHaveValue('')
})

test('shows the state of feeds, and pauses, resumes and removes them', async () => {
  const failure = 'There is no feed at this address'
  const changes = await show([
    { ...feed, waitingCount: 1 },
    { ...feed, _id: 'feed2', title: null, url: 'https://example.org/other', isPaused: true, failure },
  ])
  await expect
    .element(page.getByText('4 videos imported · 1 video waiting · Private · Checked', { exact: false }))
    .toBeVisible()
  await expect.element(page.getByText(failure)).toBeVisible()
  await page.getByRole('button', { name: 'Pause: Glaciers' }).click()
  await page.getByRole('button', { name: 'Resume: https://example.org/other' }).click()
  await page.getByRole('button', { name: 'Remove feed: Glaciers' }).click()
  expect(changes).toHaveLength(2)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove feed' }).click()
  await expect
    .poll(() => changes)
    .toEqual([
      ['PATCH', `/api/v1/studio/feed-imports/${feed._id}`, { isPaused: true }],
      ['PATCH', '/api/v1/studio/feed-imports/feed2', { isPaused: false }],
      ['DELETE', `/api/v1/studio/feed-imports/${feed._id}`, null],
    ])
  await expect.element(page.getByRole('heading', { name: 'Feeds' })).toHaveFocus()
})

test('says that no more feeds can be added, and that the last one was', async () => {
  const feeds = Array.from({ length: feedImportsPerAccount - 1 }, (_, index) => ({
    ...feed,
    _id: `feed${index}`,
  }))
  await show(feeds)
  await page.getByLabelText('Address of the feed').fill('https://example.org/feed')
  feeds.push({ ...feed, _id: 'last' })
  await page.getByRole('button', { name: 'Add feed' }).click()
  await expect.element(page.getByText('You have 10 feeds. Remove one to add another.')).toBeVisible()
  await expect.element(page.getByText('The feed was added.', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Add feed' })).not.toBeInTheDocument()
})
