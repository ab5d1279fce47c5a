import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { PagedList, type Pages } from './paged-list.tsx'

const refetch = vi.fn<() => void>()
const settled: Pages = {
  isPending: false,
  isError: false,
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  refetch,
  fetchNextPage: () => Promise.resolve(),
}
const show = (query: Partial<Pages>, items: string[] = []) =>
  render(<List query={{ ...settled, ...query }} items={items} />)

test('a list is loading, failed, empty or there', async () => {
  const screen = await show({ isPending: true })
  await expect.element(page.getByText('Wait')).toBeVisible()
  await screen.rerender(<List query={{ ...settled, isError: true }} items={[]} />)
  await expect.element(page.getByRole('alert').getByText('No boats came')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(refetch).toHaveBeenCalledOnce()
  await screen.rerender(<List query={settled} items={[]} />)
  await expect.element(page.getByText('No boats yet')).toBeVisible()
  await screen.rerender(<List query={{ ...settled, isError: true }} items={['Alder']} />)
  await expect.element(page.getByText('Alder')).toBeVisible()
  expect(page.getByRole('alert').elements()).toEqual([])
})

test('further pages are loaded when their end is near', async () => {
  await render(<Growing />)
  await expect.element(page.getByText('Birch')).toBeVisible()
  expect(page.getByRole('button').elements()).toEqual([])
})

function Growing() {
  const [items, setItems] = useState(['Alder'])
  return (
    <List
      items={items}
      query={{
        ...settled,
        hasNextPage: items.length === 1,
        fetchNextPage: async () => setItems(['Alder', 'Birch']),
      }}
    />
  )
}

function List({ query, items }: { query: Pages; items: string[] }) {
  return (
    <PagedList
      query={query}
      items={items}
      failure="No boats came"
      skeleton={<p>Wait</p>}
      empty={<p>No boats yet</p>}
    >
      {(boats) => boats.map((boat) => <p key={boat}>{boat}</p>)}
    </PagedList>
  )
}
