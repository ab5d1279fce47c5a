import { expect, onTestFinished, test } from 'vitest'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'

const signIns = attackSize({ short: 130, full: 600 })

test(`${signIns} logins leave 100 sessions, including the one in use, and reject requests that would wait too long`, async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const { client, user } = await signUp(site)
  const signIn = async () => {
    const credentials = { email: user.email, password: testPassword }
    return (await site.client().post('/api/v1/users/login', credentials)).status
  }
  const statuses: number[] = []
  // so few at once that fewer than a hundred sign-ins pass during one request of the session in use
  while (statuses.length < 120) {
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, signIn))))
    site.clock.advance(1)
    expect((await client.get('/api/v1/users/currentuser')).status).toBe(200)
  }
  const flood = Array.from({ length: signIns - statuses.length }, signIn)
  statuses.push(...(await Promise.all(flood)))
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(120)
  const rows = await site.db
    .selectFrom('sessions')
    .select('tokenHash')
    .where('userId', '=', user._id)
    .execute()
  expect(rows).toHaveLength(100)
})
