import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  deletePasskey,
  listPasskeys,
} from '@kinora/contract/accounts/passkeys.ts'
import { loginWithPasskey } from '@kinora/contract/accounts/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createTestPasskey } from '../../../testing/fixtures/test-passkey.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { suspendUser } from '../users/actions/suspend-user.ts'
import { deleteExpiredChallenges, insertPasskey } from './queries.ts'

const origin = 'https://video.example.org'
let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { PUBLIC_URL: origin, SITE_NAME: 'Harbour' } })
})
afterAll(() => site.close())

/** An account with a passkey. That browsers create them is tested in `e2e/accounts/passkeys.e2e.ts`. */
async function signUpWithPasskey() {
  const { user, client } = await signUp(site)
  const passkey = createTestPasskey()
  const { id, publicKey } = passkey
  const row = { id, publicKey, userId: user._id, counter: 0, name: 'Test', createdAt: site.clock.now() }
  await insertPasskey(site.db, row, 20)
  return { user, client, passkey }
}

const newChallenge = async () => String((await site.client().call(beginPasskeyLogin, {}))['challenge'])

async function loginStatus(body: ReturnType<ReturnType<typeof createTestPasskey>['answer']>) {
  return (await site.client().post('/api/v1/users/passkeylogin', body)).status
}

test('signs in by a signature, each challenge once', async () => {
  const { user, client, passkey } = await signUpWithPasskey()
  const answer = passkey.answer(await newChallenge(), { origin })
  const visitor = site.client()
  const signedIn = await visitor.call(loginWithPasskey, { body: answer })
  expect(signedIn.user.username).toBe(user.username)
  expect((await visitor.get('/api/v1/users/currentuser')).status).toBe(200)
  expect(await loginStatus(answer)).toBe(401)
  expect(await client.call(listPasskeys, {})).toMatchObject([{ _id: passkey.id, usedAt: expect.any(String) }])
})

test.each([
  ['another site', { origin: 'https://evil.example.org' }],
  ['nobody who showed a finger or a PIN', { origin, isVerified: false }],
])('refuses a signature for %s', async (_, options) => {
  const { passkey } = await signUpWithPasskey()
  expect(await loginStatus(passkey.answer(await newChallenge(), options))).toBe(401)
})

test('refuses another key, an invented challenge and a late answer', async () => {
  const { passkey } = await signUpWithPasskey()
  const stranger = createTestPasskey()
  const challenge = await newChallenge()
  const forged = { ...stranger.answer(challenge, { origin }), id: passkey.id, rawId: passkey.id }
  expect(await loginStatus(forged)).toBe(401)
  expect(await loginStatus(stranger.answer(await newChallenge(), { origin }))).toBe(401)
  expect(await loginStatus(passkey.answer('invented', { origin }))).toBe(401)
  const late = passkey.answer(await newChallenge(), { origin })
  site.clock.advance(5 * 60_000)
  expect(await site.client().post('/api/v1/users/passkeylogin', late)).toMatchObject({
    status: 401,
    body: { message: 'This took too long. Try again.' },
  })
  await deleteExpiredChallenges(site.db, site.clock.now())
  expect(await site.db.selectFrom('passkeyChallenges').selectAll().execute()).toEqual([])
})

test('a challenge for a new passkey signs nobody in', async () => {
  const { client, passkey } = await signUpWithPasskey()
  const options = await client.call(beginPasskey, { body: { password: testPassword } })
  expect(options).toMatchObject({
    rp: { id: 'video.example.org', name: 'Harbour' },
    excludeCredentials: [{ id: passkey.id }],
  })
  expect(await loginStatus(passkey.answer(String(options['challenge']), { origin }))).toBe(401)
})

test('a deleted passkey and one of a suspended account sign nobody in', async () => {
  const { user, client, passkey } = await signUpWithPasskey()
  const stranger = await signUp(site)
  const params = { params: { passkeyId: passkey.id } }
  await expect(stranger.client.call(deletePasskey, params)).rejects.toMatchObject({ status: 404 })
  await suspendUser(site.context, user._id)
  expect(await loginStatus(passkey.answer(await newChallenge(), { origin }))).toBe(403)
  const other = await signUpWithPasskey()
  await other.client.call(deletePasskey, { params: { passkeyId: other.passkey.id } })
  expect(await loginStatus(other.passkey.answer(await newChallenge(), { origin }))).toBe(401)
  expect((await client.get('/api/v1/users/passkeys')).status).toBe(401)
})

test('adding one needs the password, and what the browser sends is checked', async () => {
  const { client } = await signUp(site)
  const wrong = client.call(beginPasskey, { body: { password: 'not the one' } })
  await expect(wrong).rejects.toMatchObject({ status: 400, errors: [{ path: 'password' }] })
  const body = {
    id: 'abc',
    rawId: 'abc',
    type: 'public-key' as const,
    response: { clientDataJSON: 'e30', attestationObject: 'oA' },
  }
  await expect(client.call(addPasskey, { body })).rejects.toMatchObject({ status: 400 })
})

test('the shared account gets none', async () => {
  const { client } = await signUp(site, { username: 'test' })
  const call = client.call(beginPasskey, { body: { password: testPassword } })
  await expect(call).rejects.toMatchObject({ status: 403 })
})
