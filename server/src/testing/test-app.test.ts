import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from './test-app.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

test('serves over a real port on a migrated database', async () => {
  const { status, text } = await site.client().get('/readyz')
  expect([status, JSON.parse(text)]).toMatchObject([200, { status: 'ready' }])
  const users = await site.db.selectFrom('users').selectAll().execute()
  expect(users).toEqual([])
})

test('answers what does not exist in the envelope', async () => {
  const { status, body } = await site.client().get('/api/v1/nothing')
  expect(status).toBe(404)
  expect(body).toMatchObject({ success: false, statusCode: 404, code: 'not_found', data: null })
})
