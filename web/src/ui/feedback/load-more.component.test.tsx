import { useState } from 'react'
import { flushSync } from 'react-dom'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LoadMore } from './load-more.tsx'

const pages = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false }

test('three pages load by themselves, further ones by a button', async () => {
  const onMore = vi.fn<() => void>()
  await render(<Pages onMore={onMore} />)
  const button = page.getByRole('button', { name: 'Show more' })
  await expect.element(button).toBeVisible()
  expect(onMore).toHaveBeenCalledTimes(3)
  await button.click()
  await expect.poll(() => onMore.mock.calls.length).toBeGreaterThan(3)
})

test('after a failure nothing loads until somebody tries again', async () => {
  const onMore = vi.fn<() => Promise<void>>(() => Promise.resolve())
  await render(<LoadMore query={{ ...pages, isFetchNextPageError: true, fetchNextPage: onMore }} />)
  const button = page.getByRole('button', { name: 'Try again' })
  await expect.element(button).toBeVisible()
  expect(onMore).not.toHaveBeenCalled()
  await button.click()
  expect(onMore).toHaveBeenCalledOnce()
})

/** A list that is loading after each call, until it has been rendered so. */
function Pages({ onMore }: { onMore: () => void }) {
  const [isLoading, setLoading] = useState(false)
  return (
    <LoadMore
      query={{
        ...pages,
        isFetchingNextPage: isLoading,
        fetchNextPage: async () => {
          onMore()
          flushSync(() => setLoading(true))
          setLoading(false)
        },
      }}
    />
  )
}
