import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EmailSettings, emailQuery } from './email-settings.tsx'

const show = (isRejected: boolean) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const state = { email: 'ada@example.org', isConfirmed: true, isRejected, newEmail: null }
  client.setQueryData(emailQuery.queryKey, state)
  return render(
    <QueryClientProvider client={client}>
      <EmailSettings />
    </QueryClientProvider>,
  )
}

test('says that a confirmed address was refused, and offers another link', async () => {
  await show(true)
  await expect
    .element(page.getByText('Three mails to this address were refused', { exact: false }))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send a link to ada@example.org' })).toBeVisible()
})

test('offers nothing for a confirmed address that accepts mail', async () => {
  await show(false)
  await expect.element(page.getByText('is confirmed.', { exact: false })).toBeVisible()
  expect(page.getByRole('button').elements()).toEqual([])
})
