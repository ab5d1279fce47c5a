import { exampleOf } from '@kinora/contract/examples.ts'
import { getHealth, type Finding } from '@kinora/contract/operations/health.ts'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HealthSummary } from './health.tsx'

const health = getHealth.result.parse(exampleOf(getHealth).data)

const summary = page.getByRole('region', { name: 'Health' })

const show = (findings: Finding[]) =>
  render(
    <MemoryRouter>
      <HealthSummary health={{ ...health, findings }} nowMs={Date.parse(health.checkedAt)} />
    </MemoryRouter>,
  )

const finding = (code: string, state: Finding['state'], message: string): Finding => ({
  subject: code.replace(/\..*/, ''),
  code,
  state,
  message,
})

test('a site without a backup needs attention, in the words of the page with those of doctor behind them', async () => {
  await show([
    finding('backup.missing', 'note', 'There is no backup in /srv/backups.'),
    finding('metrics.off', 'note', 'The web process serves no /metrics.'),
    finding('disk.free', 'good', '300 GB are free'),
  ])
  await expect.element(summary).toMatchTextContent('1 thing needs attention.')
  const row = page.getByRole('listitem').filter({ hasText: 'There is no backup yet.' }).first()
  await expect.element(row).toMatchTextContent('Needs attention')
  await expect.element(row.getByText(/There is no backup in/)).not.toBeVisible()
  await row.getByText('Details').click()
  await expect.element(row.getByText(/There is no backup in/)).toBeVisible()
  await expect.element(row.getByRole('link', { name: 'Backups' })).toBeVisible()
})

test('a finding without a sentence of the page is shown as the server wrote it', async () => {
  await show([finding('tides.high', 'bad', 'The tide is high.')])
  await expect.element(summary).toMatchTextContent('1 problem to fix.')
  await expect.element(page.getByText(/The tide is high/).first()).toBeVisible()
})

test('notes that only inform need no attention', async () => {
  await show([finding('metrics.off', 'note', 'The web process serves no /metrics.')])
  await expect.element(summary).toMatchTextContent('No problems found.')
})
