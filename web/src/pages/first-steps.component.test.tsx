import { user } from '@kinora/contract/examples/samples.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { getOverview } from '@kinora/contract/operations/administration.ts'
import { getHealth } from '@kinora/contract/operations/health.ts'
import { getSite } from '@kinora/contract/operations/site.ts'
import { listVideos } from '@kinora/contract/videos/videos.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { exampleData, openPage, reply, signOut } from '../testing/site.tsx'
import { settings } from '../lib/settings.ts'

const noVideos = () => reply(listVideos, { items: [], nextCursor: null })
const steps = page.getByRole('region', { name: 'First steps' })

test('a visitor of a site without an administrator reads that it is being set up', async () => {
  signOut()
  noVideos()
  reply(getSite, { ...exampleData(getSite), isSetUp: false })
  await openPage('/')
  await expect.element(page.getByRole('heading', { name: 'No videos yet' })).toBeVisible()
  await expect
    .element(page.getByText('This site is being set up. Its owner has a link in the terminal.'))
    .toBeVisible()
})

test('an administrator sees what is left to do, on the empty home page and the overview', async () => {
  reply(getCurrentUser, { ...user, role: 'administrator' })
  noVideos()
  reply(getOverview, { ...exampleData(getOverview), users: 1, videos: 0 })
  const root = { subject: 'user', code: 'user.root', state: 'note' as const, message: 'Kinora runs as root.' }
  reply(getHealth, { ...exampleData(getHealth), findings: [root] })
  await openPage('/')
  const links = () =>
    steps
      .getByRole('link')
      .elements()
      .map((link) => [link.textContent, link.getAttribute('href')])
  const left = [
    ['Invite people', '/administration/invitations'],
    ['Try an upload', `/c/${user.username}/dashboard/upload`],
    ['Let the site send mail', '/administration/settings/mail'],
    ['Run the site as a user of its own', '/administration/overview'],
  ]
  await expect.poll(links).toEqual(left)
  await expect.element(steps).toMatchTextContent('Make the first backup Done')
  await openPage('/administration/overview')
  await expect.poll(links).toEqual(left)
})

test('the list is gone once everything is done', async () => {
  reply(getCurrentUser, { ...user, role: 'administrator' })
  settings.hasMail = true
  try {
    await openPage('/administration/overview')
    await expect.element(page.getByRole('heading', { name: 'Health' })).toBeVisible()
    expect(steps.elements()).toEqual([])
  } finally {
    settings.hasMail = false
  }
})
