import { ApiError } from '@kinora/contract/client.ts'
import { beginOidcLogin, finishOidc, linkOidc, listOidc, unlinkOidc } from '@kinora/contract/accounts/oidc.ts'
import { beginSecondFactor } from '@kinora/contract/accounts/second-factor.ts'
import { beginPasskey } from '@kinora/contract/accounts/passkeys.ts'
import { createApiToken } from '@kinora/contract/accounts/api-tokens.ts'
import { deleteAccount } from '@kinora/contract/portability/account-deletion.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../context/config.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { startIdentityProvider, type TestPerson } from '../../../testing/servers/identity-provider.ts'
import { putSettings } from '../../operations/site/queries.ts'
import { resetPassword } from '../users/actions/change-password.ts'
import { suspendUser } from '../users/actions/suspend-user.ts'
import { insertIdentity } from './queries.ts'
import { usernameOf } from './rules.ts'

const publicUrl = 'https://video.example.org'
const params = { provider: 'club' }
const lena = { sub: 'lena', email: 'lena@club.example', name: 'Lena Wolf', preferred_username: 'lena' }

let site: TestApp
let provider: Awaited<ReturnType<typeof startIdentityProvider>>

beforeAll(async () => {
  provider = await startIdentityProvider(`${publicUrl}/oidc/club`)
  site = await createTestApp({ settings: { PUBLIC_URL: publicUrl, OIDC_PROVIDERS: provider.setting } })
})
afterAll(async () => {
  await site.close()
  await provider.close()
})

const begin = async (client: TestClient, invitation = '') =>
  (await client.call(beginOidcLogin, { params, body: { invitation } })).url
const finish = (client: TestClient, query: string) => client.call(finishOidc, { params, body: { query } })
const signIn = async (client: TestClient, person: TestPerson) =>
  finish(client, await provider.visit(await begin(client), person))
const link = async (client: TestClient, person: TestPerson, password = testPassword) => {
  const { url } = await client.call(linkOidc, { params, body: { password } })
  return finish(client, await provider.visit(url, person))
}
const refusal = (status: number) => expect.objectContaining({ status }) as ApiError

test('a first sign-in creates an account, and the next one finds it', async () => {
  const browser = site.client()
  const { user, isLinked } = await signIn(browser, lena)
  expect({ user, isLinked }).toMatchObject({
    user: { username: 'lena', fullname: 'Lena Wolf', email: 'lena@club.example' },
    isLinked: false,
  })
  expect((await browser.call(getCurrentUser, {})).username).toBe('lena')
  const again = await signIn(site.client(), { sub: 'lena', email: 'new@club.example' })
  expect(again.user._id).toBe(user._id)
  expect(again.user.email).toBe('lena@club.example')
})

test('a response counts once, for the browser that began', async () => {
  const person = { ...lena, sub: 'mira', email: 'mira@club.example', preferred_username: 'mira' }
  const browser = site.client()
  const query = await provider.visit(await begin(browser), person)
  const other = site.client()
  await expect(finish(other, query)).rejects.toEqual(refusal(401))
  await begin(other)
  await expect(finish(other, query)).rejects.toEqual(refusal(401))
  const tries = await Promise.allSettled([1, 2, 3].map(() => finish(browser, query)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(finish(browser, query)).rejects.toEqual(refusal(401))
})

test('a wrong nonce, another issuer, the code of another request and a late response are refused', async () => {
  const browser = site.client()
  const come = async () => provider.visit(await begin(browser), lena)
  const wrongNonce = await come()
  await site.db.updateTable('oidcRequests').set({ nonce: 'another nonce' }).execute()
  await expect(finish(browser, wrongNonce)).rejects.toEqual(refusal(401))

  const otherIssuer = new URLSearchParams(await come())
  otherIssuer.set('iss', 'https://elsewhere.example')
  await expect(finish(browser, String(otherIssuer))).rejects.toEqual(refusal(401))

  const [mine, stolen] = [new URLSearchParams(await come()), new URLSearchParams(await come())]
  mine.set('code', stolen.get('code') ?? '')
  await expect(finish(browser, String(mine))).rejects.toEqual(refusal(401))

  const late = await come()
  site.clock.advance(11 * 60_000)
  await expect(finish(browser, late)).rejects.toEqual(refusal(401))
})

test('an ID token with a wrong signature is refused', async () => {
  const browser = site.client()
  provider.forge(true)
  try {
    await expect(signIn(browser, lena)).rejects.toEqual(refusal(401))
  } finally {
    provider.forge(false)
  }
  expect((await signIn(browser, lena)).user.username).toBe('lena')
})

test('the same email address connects nothing: its owner does, with the password', async () => {
  const { client, user } = await signUp(site)
  const person = { sub: 'noor', email: user.email, preferred_username: 'noor' }
  await expect(signIn(site.client(), person)).rejects.toEqual(refusal(409))
  await expect(link(client, person, 'not the one')).rejects.toEqual(refusal(400))
  expect(await link(client, person)).toMatchObject({ isLinked: true, user: { _id: user._id } })
  expect((await signIn(site.client(), person)).user._id).toBe(user._id)

  const another = await signUp(site)
  await expect(link(another.client, person)).rejects.toEqual(refusal(409))
  const { url } = await client.call(linkOidc, { params, body: { password: testPassword } })
  const query = await provider.visit(url, { sub: 'noor2' })
  client.cookies.delete('session')
  await expect(finish(client, query)).rejects.toEqual(refusal(401))
})

test('a sign-in within ten minutes stands in for the password of an account that has none', async () => {
  const person = { sub: 'uma', email: 'uma@club.example', preferred_username: 'uma' }
  const browser = site.client()
  const { user } = await signIn(browser, person)
  expect(user.hasPassword).toBe(false)
  const body = { password: 'none' }
  const token = { name: 'Script', scopes: ['read' as const], days: 90 as const, ...body }
  const prove = async () => {
    await browser.call(beginSecondFactor, { body })
    await browser.call(createApiToken, { body: token })
    await browser.call(beginPasskey, { body })
  }
  await prove()
  site.clock.advance(10 * 60_000)
  for (const call of [
    () => browser.call(beginSecondFactor, { body }),
    () => browser.call(createApiToken, { body: token }),
    () => browser.call(beginPasskey, { body }),
    () => browser.call(deleteAccount, { body }),
  ])
    await expect(call()).rejects.toMatchObject({
      status: 403,
      message: 'Your account has no password. Sign in again, then repeat this.',
    })
  await signIn(browser, person)
  await prove()

  // with a password of its own, only that counts
  await resetPassword(site.context, user._id, testPassword)
  const { user: withPassword } = await signIn(browser, person)
  expect(withPassword.hasPassword).toBe(undefined)
  await expect(browser.call(deleteAccount, { body })).rejects.toEqual(refusal(400))
  await browser.call(deleteAccount, { body: { password: testPassword } })
})

test('a connection is removed, unless it is the last way in', async () => {
  const browser = site.client()
  const { user } = await signIn(browser, { sub: 'omar', email: 'omar@club.example' })
  expect(await browser.call(listOidc, {})).toMatchObject({
    hasPassword: false,
    providers: [{ provider: 'club', name: 'Club', linkedAt: expect.any(String) }],
  })
  await expect(browser.call(unlinkOidc, { params })).rejects.toEqual(refusal(409))
  await resetPassword(site.context, user._id, testPassword)
  const { client } = await signUpAgain(user.username)
  await client.call(unlinkOidc, { params })
  expect(await client.call(listOidc, {})).toMatchObject({
    hasPassword: true,
    providers: [{ linkedAt: null }],
  })
  await expect(client.call(unlinkOidc, { params })).rejects.toEqual(refusal(404))
})

test('the account at a provider that the site no longer has is no way in', async () => {
  const browser = site.client()
  const { user } = await signIn(browser, { sub: 'rosa', email: 'rosa@club.example' })
  const identity = { issuer: 'https://former.example', subject: 'rosa', createdAt: site.clock.now() }
  await insertIdentity(site.db, { ...identity, userId: user._id })
  await expect(browser.call(unlinkOidc, { params })).rejects.toEqual(refusal(409))
})

test('new accounts count as registrations of their address', async () => {
  const limited = await createTestApp({
    settings: { PUBLIC_URL: publicUrl, OIDC_PROVIDERS: provider.setting, REGISTRATIONS_PER_HOUR: '1' },
  })
  try {
    const come = async (person: TestPerson) => {
      const browser = limited.client()
      return finish(browser, await provider.visit(await begin(browser), person))
    }
    await come({ sub: 'sina', email: 'sina@club.example' })
    await expect(come({ sub: 'toni', email: 'toni@club.example' })).rejects.toEqual(refusal(429))
    expect((await come({ sub: 'sina' })).isLinked).toBe(false)
  } finally {
    await limited.close()
  }
})

const signUpAgain = async (username: string) => {
  const client = site.client()
  await client.post('/api/v1/users/login', { username, password: testPassword })
  return { client }
}

test('new accounts follow the registration policy, and suspended ones stay out', async () => {
  const person = { sub: 'pia', email: 'pia@club.example', preferred_username: 'pia' }
  const withPolicy = (registration: string) => putSettings(site.db, { registration })
  await withPolicy('closed')
  await expect(signIn(site.client(), person)).rejects.toEqual(refusal(403))
  await withPolicy('invitation')
  await expect(signIn(site.client(), person)).rejects.toEqual(refusal(403))
  await withPolicy('approval')
  await expect(signIn(site.client(), person)).rejects.toMatchObject({
    status: 403,
    message: 'This account waits for the approval of a moderator',
  })
  await withPolicy('open')
  await expect(signIn(site.client(), { sub: 'without email' })).rejects.toEqual(refusal(403))
  const { user } = await signIn(site.client(), { ...person, sub: 'quin', email: 'quin@club.example' })
  expect(user.username).toMatch(/^pia\d+$/)
  await suspendUser(site.context, user._id)
  await expect(signIn(site.client(), { ...person, sub: 'quin' })).rejects.toEqual(refusal(403))
})

test('usernames are letters and digits', () => {
  expect(usernameOf({ sub: '1', preferred_username: 'zoë.k-92' })).toBe('zoek92')
  expect(usernameOf({ sub: '1', email: 'a.b@example.org' }, '7')).toBe('ab7')
  expect(usernameOf({ sub: '1', preferred_username: '李' })).toBe('member')
})

test('providers need PUBLIC_URL, https and a name that no control has', () => {
  const provide = (change: object) =>
    readConfig({
      PUBLIC_URL: publicUrl,
      OIDC_PROVIDERS: JSON.stringify([
        { id: 'club', name: 'Club', issuer: 'https://id.example.org', clientId: 'kinora', ...change },
      ]),
    }).oidcProviders
  expect(provide({})).toHaveLength(1)
  expect(() => provide({ issuer: 'http://id.example.org' })).toThrow('https://')
  expect(() => provide({ issuer: 'ftp://localhost' })).toThrow('https://')
  expect(provide({ issuer: 'http://[::1]:8080' })).toHaveLength(1)
  expect(() => provide({ name: 'Club login' })).toThrow('must not contain')
  expect(() => readConfig({ OIDC_PROVIDERS: provider.setting })).toThrow('PUBLIC_URL')
  expect(() => readConfig({ PUBLIC_URL: publicUrl, OIDC_PROVIDERS: '{' })).toThrow('JSON array')
})
