import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import type { Overview } from '@kinora/contract/operations/administration.ts'
import { administrationExamples } from '@kinora/contract/examples/administration.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { OverviewPage } from './overview-page.tsx'

afterEach(() => vi.unstubAllGlobals())

const example = new Map(administrationExamples).get('getOverview')?.data as Overview

async function show(overview: Overview): Promise<void> {
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/administration/overview')
      ? Response.json({ success: true, data: overview })
      : Response.json({ success: false, message: 'The server is busy' }, { status: 503 }),
  )
  await render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <OverviewPage />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  )
}

test('calls estimates of a large site approximate, and nothing else', async () => {
  await show({ ...example, videos: 10_200_000, estimates: ['videos', 'hoursOfVideo'] })
  await expect.element(page.getByText('about 10,200,000')).toBeVisible()
  await expect.element(page.getByText('about 97 hours')).toBeVisible()
  await expect.element(page.getByText('2,900 in 28 days', { exact: true })).toBeVisible()
  await expect.element(page.getByText('212', { exact: true })).toBeVisible()
})

test('shows exact numbers of other sites', async () => {
  await show(example)
  await expect.element(page.getByText('840', { exact: true })).toBeVisible()
  expect(page.getByText('about').query()).toBeNull()
})
