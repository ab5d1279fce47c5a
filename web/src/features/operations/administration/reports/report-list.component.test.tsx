import { commandLine } from '@kinora/contract/constants.ts'
import type { Report } from '@kinora/contract/operations/reports.ts'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ReportList } from './report-list.tsx'

const report: Report = {
  _id: '12',
  kind: 'comment',
  subjectId: 'comment',
  videoId: 'video',
  title: 'Cheap watches!',
  isGone: true,
  isDeleted: false,
  owner: { username: 'jonas', fullname: 'Jonas Berg', removals: 0 },
  entries: [],
  entriesCount: 0,
  createdAt: '2026-05-02T20:10:00.000Z',
  decision: 'remove',
  note: '',
  decidedBy: commandLine,
  decidedAt: '2026-05-03T09:00:00.000Z',
  answer: null,
}

test('a reported clip is linked, and one that was removed is not put back', async () => {
  const clip: Report = { ...report, kind: 'clip', subjectId: 'clip-1', title: 'What a fool' }
  const reports: Report[] = [
    { ...clip, isGone: false, decision: null, decidedBy: null },
    { ...clip, _id: '13', isDeleted: true },
  ]
  const nothing = () => undefined
  await render(
    <MemoryRouter>
      <ReportList reports={reports} onDismiss={nothing} onRemove={nothing} />
    </MemoryRouter>,
  )
  await expect
    .element(page.getByRole('link', { name: 'What a fool' }))
    .toHaveAttribute('href', '/clip/clip-1')
  await expect.element(page.getByText('Removed clips cannot be put back.')).toBeVisible()
  await expect.element(page.getByText('hidden from you')).not.toBeInTheDocument()
  expect(
    page
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Dismiss', 'Remove…'])
})

test('a reported clip that the moderator may not see is not linked', async () => {
  const clip: Report = { ...report, kind: 'clip', title: 'What a fool', isGone: false, decision: null }
  const nothing = () => undefined
  await render(
    <MemoryRouter>
      <ReportList reports={[{ ...clip, videoId: null }]} onDismiss={nothing} onRemove={nothing} />
    </MemoryRouter>,
  )
  await expect.element(page.getByText(/hidden from you/)).toBeVisible()
  expect(page.getByRole('link', { name: 'What a fool' }).query()).toBeNull()
})

test('decisions of the command line are those of an administrator', async () => {
  const reports = [
    report,
    { ...report, _id: '13', decision: 'dismiss' as const },
    { ...report, _id: '14', decidedBy: 'ines' },
  ]
  const nothing = () => undefined
  await render(
    <MemoryRouter>
      <ReportList reports={reports} onDismiss={nothing} onRemove={nothing} />
    </MemoryRouter>,
  )
  await expect.element(page.getByText('Removed by an administrator')).toBeVisible()
  await expect.element(page.getByText('Dismissed by an administrator')).toBeVisible()
  await expect.element(page.getByText('Removed by ines')).toBeVisible()
})
