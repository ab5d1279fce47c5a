import { user } from '@kinora/contract/examples/samples.ts'
import type { Role } from '@kinora/contract/accounts/roles.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import {
  approveAnyComments,
  changeSuspension,
  countToDecide,
  listAllComments,
  listAllVideos,
} from '@kinora/contract/operations/moderation.ts'
import { listPeople } from '@kinora/contract/operations/people.ts'
import { decideReport, listReports } from '@kinora/contract/operations/reports.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const day = (number: number) => `2026-05-0${number}T10:00:00.000Z`
const nothing = { reports: 0, comments: 0, accounts: 0, videos: 0 }

/** A site with one report, comment, account and video that wait, until each is decided. */
function waiting(role: Role = 'administrator') {
  const open = new Set(['report', 'comment', 'account', 'video'])
  const only = <Entry,>(kind: string, entry: Entry | undefined) => (entry && open.has(kind) ? [entry] : [])
  reply(getCurrentUser, { ...user, role })
  reply(countToDecide, () => ({
    reports: Number(open.has('report')),
    comments: Number(open.has('comment')),
    accounts: Number(open.has('account')),
    videos: Number(open.has('video')),
  }))
  const [report] = exampleData(listReports).reports
  const [comment] = exampleData(listAllComments).comments
  const [person] = exampleData(listPeople).people
  const [video] = exampleData(listAllVideos).videos
  reply(listReports, ({ query }) => {
    const reports = only(
      'report',
      query['show'] === 'answered' ? undefined : report && { ...report, createdAt: day(3) },
    )
    return { reports, total: reports.length }
  })
  reply(listAllComments, () => {
    const comments = only('comment', comment && { ...comment, createdAt: day(2), heldBy: 'first' as const })
    return { comments, total: comments.length }
  })
  reply(listPeople, () => {
    const people = only(
      'account',
      person && { ...person, createdAt: day(1), isWaiting: true, suspendedAt: day(1) },
    )
    return { people, total: people.length }
  })
  reply(listAllVideos, () => {
    const videos = only('video', video && { ...video, createdAt: day(4), state: 'waiting' as const })
    return { videos, total: videos.length }
  })
  reply(approveAnyComments, () => {
    open.delete('comment')
    return { ids: ['1'] }
  })
  reply(changeSuspension, () => {
    open.delete('account')
    return exampleData(changeSuspension)
  })
  reply(decideReport, () => {
    open.delete('report')
    return exampleData(decideReport)
  })
}

const entries = page.getByRole('article')
const tabs = page.getByRole('navigation', { name: 'Administration' })

test('shows everything that waits in one list, what came first in front, and decides it by keys', async () => {
  waiting()
  await openPage('/administration')
  await expect.poll(() => location.pathname).toBe('/administration/to-decide')
  await expect.element(page.getByRole('heading', { name: 'To decide 4' })).toBeVisible()
  const kinds = () => entries.elements().map((entry) => entry.getAttribute('aria-label'))
  await expect
    .poll(kinds)
    .toEqual(['Account of jonas', 'Comment of jonas', 'comment of jonas', 'Video of ines'])
  await expect.element(entries.nth(1)).toMatchTextContent('first comment of the account')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Administration' })
  await expect.element(entry).toHaveAccessibleName('Administration')
  await expect.element(entry).toHaveAccessibleDescription('4 to decide')
  await expect.element(tabs.getByRole('link', { name: /^To decide/ })).toMatchTextContent('To decide 4')

  entries.first().getByRole('button', { name: 'Approve' }).element().focus()
  await userEvent.keyboard('a')
  await expect.poll(() => callsOf(changeSuspension).length).toBe(1)
  await expect.poll(() => kinds().length).toBe(3)
  await expect.poll(() => document.activeElement?.tagName).toBe('LI')
  await userEvent.keyboard('a')
  await expect.poll(() => callsOf(approveAnyComments).length).toBe(1)
  await expect.poll(() => kinds().length).toBe(2)
  await userEvent.keyboard('d')
  await expect.poll(() => callsOf(decideReport).map(({ body }) => body['decision'])).toEqual(['dismiss'])
  await expect.poll(kinds).toEqual(['Video of ines'])
})

test('a moderator begins there although nothing waits, and has no tab for the site', async () => {
  reply(getCurrentUser, { ...user, role: 'moderator' })
  reply(countToDecide, nothing)
  reply(listReports, { reports: [], total: 0 })
  reply(listAllComments, { comments: [], total: 0 })
  reply(listPeople, { people: [], total: 0 })
  reply(listAllVideos, { videos: [], total: 0 })
  await openPage('/administration')
  await expect.element(page.getByRole('heading', { name: 'All decided' })).toBeVisible()
  const names = () =>
    tabs
      .getByRole('link')
      .elements()
      .map((link) => link.textContent)
  await expect.poll(names).toEqual(['To decide', 'People', 'Content', 'Operation'])
})

test('an administrator begins with the overview where nothing waits', async () => {
  reply(getCurrentUser, { ...user, role: 'administrator' })
  reply(countToDecide, nothing)
  await openPage('/administration')
  await expect.poll(() => location.pathname).toBe('/administration/overview')
  const pages = page.getByRole('navigation', { name: 'Operation' })
  await expect.element(pages.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
  await pages.getByRole('link', { name: 'Audit log' }).click()
  await expect.poll(() => location.pathname).toBe('/administration/audit-log')
  await expect.element(tabs.getByRole('link', { name: /^Operation/ })).toHaveAttribute('aria-current', 'page')
})
