import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeSchema } from './fixtures/describe-schema.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

/** Reviewed in every change that touches it; `npm run data-model` updates it. */
test('server/schema.sql is the result of the migrations', async () => {
  await expect(await describeSchema(site.db)).toMatchFileSnapshot('../../schema.sql')
})
