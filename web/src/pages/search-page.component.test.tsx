import { ines, video } from '@kinora/contract/examples/samples.ts'
import { findMoments, searchVideos, summarizeSearch } from '@kinora/contract/watching/search.ts'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../testing/site.tsx'

const box = page.getByRole('searchbox', { name: 'Search' })
const heading = page.getByRole('heading', { level: 1 })
const terms = () => callsOf(searchVideos).map(({ params }) => params['term'])
const channels = page.getByRole('list', { name: 'Matching channels' }).getByRole('link')

beforeEach(() => {
  reply(searchVideos, { items: [], nextCursor: null })
  reply(summarizeSearch, { total: 0, channels: [] })
  reply(findMoments, [])
})

const search = async (text: string) => {
  await box.fill(text)
  await userEvent.keyboard('{Enter}')
}

test('an empty search does not navigate', async () => {
  await openPage('/about')
  await page.getByRole('button', { name: 'Search' }).click()
  await search('   ')
  await expect.element(page.getByRole('heading', { name: 'About Kinora' })).toBeVisible()
  expect(location.pathname).toBe('/about')
})

test('special characters in a query reach the server unchanged', async () => {
  await openPage('/')
  for (const text of ['100%', '%2F', 'a/b?c#d&e+f', `"it's"`, '日本 語', '🎞️ reel', '..']) {
    const before = terms().length
    await search(text)
    await expect.poll(() => terms().length).toBe(before + 1)
    expect(terms().at(-1)).toBe(text === '..' ? '.. ' : text)
    await expect.element(heading).toHaveTextContent(`No results found for '${text}'`)
    await openPage(location.pathname)
    await expect.element(heading).toHaveTextContent(`No results found for '${text}'`)
    await expect.element(box).toHaveValue(text)
  }
})

test('a search collapses white space, and an address without a query leads home', async () => {
  await openPage('/about')
  await search('  Night \u00a0  trains ')
  await expect.element(heading).toHaveTextContent("No results found for 'Night trains'")
  expect(terms()).toEqual(['Night trains'])
  expect(location.pathname).toBe('/search/Night%20trains')
  expect(document.title).toBe('Night trains · Search · Kinora')
  for (const path of ['/search', '/search/', '/search/%20']) {
    await openPage(path)
    await expect.poll(() => location.pathname).toBe('/')
  }
})

test('a late response does not replace a newer search', async () => {
  const held = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  reply(searchVideos, async ({ params }) => {
    if (params['term'] === 'slow') {
      await held.promise
      answered.resolve()
    }
    return { items: [], nextCursor: null }
  })
  await openPage('/search/slow')
  await expect.poll(terms).toEqual(['slow'])
  await search('quick')
  await expect.element(heading).toHaveTextContent("No results found for 'quick'")
  held.resolve()
  await answered.promise
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  await expect.element(heading).toHaveTextContent("No results found for 'quick'")
})

test('results have a number, channels, and filters that the address keeps', async () => {
  const found = [video, { ...video, _id: 'second', title: 'Salt' }]
  const channel = { ...ines, subscribersCount: 3 }
  const isLong = (query: Record<string, string>) => query['length'] === 'long'
  reply(searchVideos, ({ query }) => ({ items: isLong(query) ? [] : found, nextCursor: null }))
  reply(summarizeSearch, ({ query }) => ({
    total: isLong(query) ? 0 : 2,
    channels: query['length'] ? [] : [channel],
  }))
  await openPage('/search/salt')
  const articles = page.getByRole('article')
  await expect.element(page.getByText('2 results')).toBeVisible()
  await expect.element(channels).toMatchTextContent(`${ines.fullname}@${ines.username}`)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabelText('Length').selectOptions('Over 20 minutes')
  await expect.poll(() => location.search).toBe('?length=long')
  await expect.element(heading).toHaveTextContent("No results found for 'salt'")
  expect(channels.elements()).toEqual([])
  await page.getByLabelText('Length').selectOptions('Under 4 minutes')
  await expect.poll(() => articles.elements().length).toBe(2)
  await page.getByLabelText('Sort by').selectOptions('Newest')
  await expect.poll(() => location.search).toBe('?length=short&sort=date')
  await expect
    .poll(() => callsOf(searchVideos).at(-1)?.query)
    .toMatchObject({ length: 'short', sort: 'date' })

  await openPage(location.pathname + location.search)
  await expect
    .element(page.getByRole('button', { name: 'Filters (2)' }))
    .toHaveAttribute('aria-expanded', 'true')
  await expect.element(page.getByLabelText('Length')).toHaveValue('short')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => location.search).toBe('')
  await channels.click()
  await expect.poll(() => location.pathname).toBe(`/c/${ines.username}/videos`)
})

test('moments alone are results', async () => {
  const held = Promise.withResolvers<void>()
  reply(findMoments, async () => {
    await held.promise
    return exampleData(findMoments)
  })
  await openPage('/search/first light')
  await expect.poll(() => callsOf(findMoments).length).toBe(1)
  await expect.element(heading).toHaveTextContent('Search')
  held.resolve()
  await expect.element(heading).toHaveTextContent("Results found for 'first light'")
  await expect.element(page.getByText(/They were found here/)).toBeVisible()
})
