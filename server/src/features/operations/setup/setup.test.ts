import { listAuditLog } from '@kinora/contract/operations/administration.ts'
import * as contract from '@kinora/contract/operations/setup.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { issueSetupToken } from './actions.ts'

let site: TestApp
let token: string

beforeEach(async () => {
  site = await createTestApp({ settings: { SITE_CONTACT: 'owner@example.org' } })
  token = (await issueSetupToken(site.db)) ?? ''
})
afterEach(() => site.close())

const account = (username = 'ines') => ({
  fullname: 'Ines Falk',
  email: `${username}@example.org`,
  username,
  password: 'correct horse battery',
})
const complete = (settings: Partial<contract.CompleteSetup> = {}) =>
  site.client().call(contract.completeSetup, { body: { token, ...account(), ...settings } })
const open = () => site.client().call(contract.openSetup, { body: { token } })
const countUsers = async () => (await site.db.selectFrom('users').select('id').execute()).length

test('the link makes an administrator, with the settings of the site, and works once', async () => {
  expect(await open()).toMatchObject({ settings: { siteName: 'Kinora' }, fixed: ['siteContact'] })
  expect(await complete({ siteName: 'Harbour TV', registration: 'closed' })).toMatchObject({
    username: 'ines',
    role: 'administrator',
  })
  expect(site.context.siteSettings.current).toMatchObject({ siteName: 'Harbour TV', registration: 'closed' })
  for (const again of [open, () => complete(account('jonas'))])
    await expect(again()).rejects.toMatchObject({ status: 403 })
  expect(await countUsers()).toBe(1)
  const client = site.client()
  await client.post('/api/v1/users/login', { username: 'ines', password: 'correct horse battery' })
  const { entries } = await client.call(listAuditLog, { query: {} })
  expect(entries.map(({ actor, subject }) => [actor, subject])).toEqual(
    expect.arrayContaining([
      ['ines', 'ines'],
      ['ines', 'siteName'],
      ['ines', 'registration'],
    ]),
  )
})

test('of two that open the link at once, one becomes administrator', async () => {
  const tries = await Promise.allSettled([complete(account('ines')), complete(account('jonas'))])
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await countUsers()).toBe(1)
})

test('a refused set-up changes nothing, and the link still works', async () => {
  await expect(complete({ siteName: 'Harbour TV', siteContact: 'somebody else' })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'siteContact' }],
  })
  await expect(complete({ siteAccent: '#ffd400', password: '' })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'password' }, { path: 'siteAccent' }],
  })
  expect([await countUsers(), (await site.context.siteSettings.load()).siteName]).toEqual([0, 'Kinora'])
  expect(await complete()).toMatchObject({ role: 'administrator' })
})

test('a guessed token reveals nothing, and everybody registers as before', async () => {
  await expect(
    site.client().call(contract.openSetup, { body: { token: token.replace(/.$/, '_') } }),
  ).rejects.toMatchObject({ status: 403 })
  const { user } = await signUp(site)
  expect(user.role).toBe('member')
  expect(await open()).toMatchObject({ settings: { siteName: 'Kinora' } })
})

test('each start replaces the link until there is an administrator, also when a stranger has registered', async () => {
  const { user } = await signUp(site)
  const next = await issueSetupToken(site.db)
  await expect(open()).rejects.toMatchObject({ status: 403 })
  token = next ?? ''
  await open()
  await updateRole(site.db, user._id, 'administrator')
  expect(await issueSetupToken(site.db)).toBeUndefined()
})

test('the link is gone for good once there is an administrator', async () => {
  const { user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  await updateRole(site.db, user._id, 'member')
  await expect(open()).rejects.toMatchObject({ status: 403 })
  expect(await site.db.selectFrom('setupToken').select('tokenHash').execute()).toEqual([])
})
