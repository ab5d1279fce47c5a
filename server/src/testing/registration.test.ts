import { changeSuspension } from '@kinora/contract/operations/moderation.ts'
import { listPeople } from '@kinora/contract/operations/people.ts'
import type { RegistrationPolicy } from '@kinora/contract/constants.ts'
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
} from '@kinora/contract/operations/administration.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createUser } from '../cli/accounts.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import { registrationForm, testPassword } from './fixtures/test-users.ts'
import { updateRole } from '../features/accounts/users/queries.ts'

/** A site with a policy and a moderator, whom its operator has created. */
async function openSite(registration: RegistrationPolicy) {
  const site = await createTestApp({ settings: { REGISTRATION: registration } })
  onTestFinished(() => site.close())
  await createUser(site.context, {
    username: 'ines',
    email: 'ines@example.org',
    fullname: 'Ines Falk',
    password: testPassword,
    avatar: undefined,
  })
  const { id } = await site.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'ines')
    .executeTakeFirstOrThrow()
  await updateRole(site.db, id, 'moderator')
  const moderator = site.client()
  await moderator.post('/api/v1/users/login', { username: 'ines', password: testPassword })
  return { site, moderator }
}

async function register(site: TestApp, username: string, invitation?: string) {
  const form = await registrationForm({ username, invitation })
  const { status, body } = await site.client().post('/api/v1/users/register', form)
  return { status, message: body.message }
}

const logIn = async (site: TestApp, username: string) => {
  const { status, body } = await site
    .client()
    .post('/api/v1/users/login', { username, password: testPassword })
  return { status, message: body.message }
}

test('everybody registers by default', async () => {
  const { site } = await openSite('open')
  expect(await register(site, 'jonas')).toMatchObject({ status: 201 })
  expect(await logIn(site, 'jonas')).toMatchObject({ status: 200 })
})

test('nobody registers on a closed site, but its operator creates accounts', async () => {
  const { site } = await openSite('closed')
  expect(await register(site, 'jonas')).toEqual({ status: 403, message: 'This site accepts no new accounts' })
  expect(await logIn(site, 'ines')).toMatchObject({ status: 200 })
})

test('an account waits until a moderator approves it', async () => {
  const { site, moderator } = await openSite('approval')
  expect(await register(site, 'jonas')).toMatchObject({ status: 201 })
  expect(await logIn(site, 'jonas')).toEqual({
    status: 403,
    message: 'This account waits for the approval of a moderator',
  })
  const waiting = async () =>
    (await moderator.call(listPeople, { query: { show: 'waiting' } })).people.map(({ username }) => username)
  expect(await waiting()).toEqual(['jonas'])
  const channelStatus = async () => (await moderator.get('/api/v1/users/c/jonas')).status
  expect(await channelStatus()).toBe(404)
  expect((await moderator.call(listPeople, { query: { show: 'suspended' } })).total).toBe(0)
  await moderator.call(changeSuspension, { params: { username: 'jonas' }, body: { isSuspended: false } })
  expect(await waiting()).toEqual([])
  expect(await channelStatus()).toBe(200)
  expect(await logIn(site, 'jonas')).toMatchObject({ status: 200 })
})

test('an invitation lets in as many people as it says until it expires, and names them', async () => {
  const { site, moderator } = await openSite('invitation')
  const invite = async (maxUses: number) =>
    (await moderator.call(createInvitation, { body: { maxUses, days: 7 } }))._id
  const forbidden = { status: 403 }
  expect(await register(site, 'jonas')).toMatchObject(forbidden)
  expect(await register(site, 'jonas', 'guessed')).toMatchObject(forbidden)
  const pair = await invite(2)
  const statuses = await Promise.all(
    ['jonas', 'mara', 'sam'].map(async (name) => (await register(site, name, pair)).status),
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 403])
  const [listed] = await moderator.call(listInvitations, {})
  expect(listed).toMatchObject({ _id: pair, uses: 2, createdBy: 'ines' })
  expect(listed?.invited).toHaveLength(2)

  const [late, deleted] = [await invite(1), await invite(1)]
  await moderator.call(deleteInvitation, { params: { invitationId: deleted } })
  expect(await register(site, 'wanda', deleted)).toMatchObject(forbidden)
  site.clock.advance(8 * 24 * 3600_000)
  expect(await register(site, 'wanda', late)).toMatchObject(forbidden)
})
