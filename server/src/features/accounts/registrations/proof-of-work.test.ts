import {
  getRegistrationChallenge,
  type RegistrationChallenge,
} from '@kinora/contract/accounts/registrations.ts'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { registrationForm } from '../../../testing/fixtures/test-users.ts'
import { createRegistrationChallenge } from './actions.ts'

const users = '/api/v1/users'
let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    settings: { REGISTRATION_PROOF_OF_WORK: 'true' },
    constants: { registrationChallengesPerMinute: 10 },
  })
})
afterAll(() => site.close())

const getChallenge = () => site.client().call(getRegistrationChallenge, {})
const solve = async (challenge: RegistrationChallenge) =>
  JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
const register = async (proofOfWork?: string) =>
  site.client().post(`${users}/register`, await registrationForm({ proofOfWork }))
const required = { status: 403, body: { code: 'proof_of_work_required', message: /Try again/ } }

test('a solved challenge is good for one registration, even of concurrent ones', async () => {
  const solved = await solve(await getChallenge())
  const answers = await Promise.all([register(solved), register(solved)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
  expect(await register(solved)).toMatchObject(required)
})

test('refuses registrations without a solution, with a wrong one, and of a changed or expired challenge', async () => {
  const challenge = await getChallenge()
  const { solution } = JSON.parse(await solve(challenge)) as { solution: { derivedKey: string } }
  const easier = { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }
  const hourAgo = { now: () => new Date(Date.now() - 3600_000) }
  const expired = await createRegistrationChallenge({ ...site.context, clock: hourAgo }, 'address')
  for (const proof of [
    undefined,
    'no JSON',
    JSON.stringify({ challenge }),
    JSON.stringify({ challenge, solution: { counter: 1, derivedKey: '00'.repeat(32) } }),
    JSON.stringify({ challenge: { ...challenge, signature: '00'.repeat(32) }, solution }),
    JSON.stringify({ challenge: easier, solution }),
    await solve(expired),
  ])
    expect(await register(proof)).toMatchObject(required)
  expect(
    await site.db.selectFrom('users').select('id').where('username', 'like', 'person%').execute(),
  ).toHaveLength(1)
  // the refused request did not use it up
  expect((await register(JSON.stringify({ challenge, solution }))).status).toBe(201)
})

test('invalid forms use up no challenge', async () => {
  const solved = await solve(await getChallenge())
  const form = await registrationForm({ proofOfWork: solved, email: 'none' })
  expect((await site.client().post(`${users}/register`, form)).status).toBe(400)
  expect((await register(solved)).status).toBe(201)
})

test('limits the challenges of an address', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 11 }, async () => (await site.client().get(`${users}/register/challenge`)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('sites that ask for none have no challenges', async () => {
  const other = await createTestApp()
  expect((await other.client().get(`${users}/register/challenge`)).status).toBe(404)
  const form = await registrationForm({ proofOfWork: 'ignored' })
  expect((await other.client().post(`${users}/register`, form)).status).toBe(201)
  await other.close()
})
