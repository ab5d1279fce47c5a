import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EmailSettings, emailQuery } from './email-settings.tsx'

const show = (isRejected: boolean, newEmail: string | null = null) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const state = { email: 'ada@example.org', isConfirmed: true, isRejected, newEmail }
  client.setQueryData(emailQuery.queryKey, state)
  return render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <EmailSettings />
      </QueryClientProvider>
    </I18nProvider>,
  )
}

test('says that a confirmed address was refused, and offers another link', async () => {
  await show(true)
  await expect
    .element(page.getByText('The mail server refused three mails to ada@example.org', { exact: false }))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send a link to ada@example.org' })).toBeVisible()
})

test('names the new address that a link goes to', async () => {
  await show(true, 'new@example.org')
  await expect
    .element(page.getByText('Open the link in the mail to new@example.org', { exact: false }))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send a link to new@example.org' })).toBeVisible()
})

test('offers nothing for a confirmed address that accepts mail', async () => {
  await show(false)
  await expect.element(page.getByText('is confirmed.', { exact: false })).toBeVisible()
  expect(page.getByRole('button').elements()).toEqual([])
})
