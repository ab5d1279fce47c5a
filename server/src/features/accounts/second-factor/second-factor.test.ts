import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
} from '@kinora/contract/accounts/second-factor.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { appCode } from '../../../testing/fixtures/test-codes.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    settings: { TRUST_PROXY: 'true', SITE_NAME: 'Harbour' },
    constants: { loginsPerMinute: 5, secondFactorsPerMinute: 5, secondFactorsPerAccountPerHour: 10 },
  })
})
afterAll(() => site.close())

const codeOf = (secret: string) => appCode(secret, site.clock.now())
const nextStep = () => site.clock.advance(30_000)
let lastNetwork = 0
const newAddress = () => `192.0.2.${(lastNetwork += 1)}`

async function login(username: string, code?: string, password = testPassword, address = newAddress()) {
  const response = await site.client().fetch('/api/v1/users/login', {
    method: 'POST',
    headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, ...(code === undefined ? {} : { code }) }),
  })
  const { code: errorCode } = (await response.json()) as { code?: string }
  return errorCode === undefined ? response.status : `${response.status} ${errorCode}`
}

/** An account with a second factor; the code of its confirmation is used up. */
async function signUpWithFactor() {
  const { user, client } = await signUp(site)
  const { secret, uri } = await client.call(beginSecondFactor, { body: { password: testPassword } })
  const body = { code: codeOf(secret) }
  const { recoveryCodes } = await client.call(confirmSecondFactor, { body })
  nextStep()
  return { user, client, secret, uri, recoveryCodes }
}

test('signs in with a code once the app is confirmed, and as before until then', async () => {
  const { user, client } = await signUp(site)
  const { secret, uri } = await client.call(beginSecondFactor, { body: { password: testPassword } })
  expect(uri).toContain(`secret=${secret}`)
  expect(uri).toContain('issuer=Harbour&')
  expect(await login(user.username)).toBe(200)
  await expect(client.call(confirmSecondFactor, { body: { code: '000000' } })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'code' }],
  })
  await client.call(confirmSecondFactor, { body: { code: codeOf(secret) } })
  expect(await client.call(getSecondFactor, {})).toEqual({ isOn: true, recoveryCodesLeft: 10 })
  nextStep()
  expect(await login(user.username)).toBe('401 second_factor_required')
  expect(await login(user.username, '000000')).toBe('401 second_factor_required')
  expect(await login(user.username, codeOf(secret), 'not the password')).toBe('401 unauthenticated')
  const code = codeOf(secret)
  expect(await login(user.username, `${code.slice(0, 3)} ${code.slice(3)}`)).toBe(200)
})

test('a code works once, also for concurrent sign-ins, and not after its time', async () => {
  const { user, secret } = await signUpWithFactor()
  const code = codeOf(secret)
  const results = await Promise.all([login(user.username, code), login(user.username, code)])
  expect(new Set(results)).toEqual(new Set([200, '401 second_factor_required']))
  nextStep()
  const late = codeOf(secret)
  nextStep()
  nextStep()
  expect(await login(user.username, late)).toBe('401 second_factor_required')
})

test('recovery codes work once each, however they are typed', async () => {
  const { user, client, recoveryCodes } = await signUpWithFactor()
  const [first = '', second = ''] = recoveryCodes
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(await login(user.username, first.toUpperCase().replaceAll('-', ' '))).toBe(200)
  expect(await login(user.username, first)).toBe('401 second_factor_required')
  expect(await login(user.username, second)).toBe(200)
  expect(await client.call(getSecondFactor, {})).toEqual({ isOn: true, recoveryCodesLeft: 8 })
  const stored = await site.db
    .selectFrom('recoveryCodes')
    .selectAll()
    .where('userId', '=', user._id)
    .execute()
  expect(JSON.stringify(stored)).not.toContain(second)
})

test('needs the password to turn on and off', async () => {
  const { user, client } = await signUpWithFactor()
  const wrong = { body: { password: 'not the one' } }
  await expect(client.call(removeSecondFactor, wrong)).rejects.toMatchObject({ status: 400 })
  await expect(client.call(beginSecondFactor, wrong)).rejects.toMatchObject({ status: 400 })
  const right = { body: { password: testPassword } }
  await expect(client.call(beginSecondFactor, right)).rejects.toMatchObject({ status: 409 })
  await client.call(removeSecondFactor, right)
  expect(await client.call(getSecondFactor, {})).toEqual({ isOn: false, recoveryCodesLeft: 0 })
  expect(await login(user.username)).toBe(200)
})

test('of concurrent confirmations, one gets the recovery codes that work', async () => {
  const { user, client } = await signUp(site)
  const { secret } = await client.call(beginSecondFactor, { body: { password: testPassword } })
  const codes = [
    appCode(secret, site.clock.now()),
    appCode(secret, new Date(site.clock.now().getTime() + 30_000)),
  ]
  const answers = await Promise.allSettled(
    codes.map((code) => client.call(confirmSecondFactor, { body: { code } })),
  )
  const shown = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.recoveryCodes : []))
  expect(shown).toHaveLength(10)
  expect(await login(user.username, shown[0])).toBe(200)
})

test('limits wrong codes of a network, and lets the owner in from another', async () => {
  const { user, secret } = await signUpWithFactor()
  const results: (string | number)[] = []
  for (let count = 0; count < 7; count += 1)
    results.push(await login(user.username, '000000', testPassword, '198.51.100.1'))
  expect(results.filter((result) => result === '429 too_many_requests')).toHaveLength(2)
  expect(await login(user.username, codeOf(secret), testPassword, '198.51.100.2')).toBe(200)
})

test('limits wrong codes of all networks, but not recovery codes and not an address of the owner', async () => {
  const { user, secret, recoveryCodes } = await signUpWithFactor()
  const home = newAddress()
  expect(await login(user.username, codeOf(secret), testPassword, home)).toBe(200)
  const guesses = await Promise.all(Array.from({ length: 12 }, () => login(user.username, '000000')))
  expect(guesses.filter((result) => result === '401 second_factor_required')).toHaveLength(10)
  nextStep()
  expect(await login(user.username, codeOf(secret))).toBe('429 too_many_requests')
  expect(await login(user.username, recoveryCodes[0])).toBe(200)
  expect(await login(user.username, codeOf(secret), testPassword, home)).toBe(200)
})

test('failed passwords from the same address do not keep out who has a code', async () => {
  const { user, secret } = await signUpWithFactor()
  const address = '203.0.113.9'
  for (let count = 0; count < 8; count += 1) await login(user.username, undefined, 'not the one', address)
  expect(await login(user.username, undefined, testPassword, address)).toBe('429 too_many_requests')
  expect(await login(user.username, codeOf(secret), 'not the one', address)).toBe('429 too_many_requests')
  nextStep()
  expect(await login(user.username, codeOf(secret), testPassword, address)).toBe(200)
})

test('the shared account gets none', async () => {
  const { client } = await signUp(site, { username: 'test' })
  const call = client.call(beginSecondFactor, { body: { password: testPassword } })
  await expect(call).rejects.toMatchObject({ status: 403 })
})
