import { changeSuspension } from '@kinora/contract/operations/moderation.ts'
import { deletePerson } from '@kinora/contract/operations/people.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { removeLeavingAccounts } from '../account-deletion/jobs.ts'
import { reconcileHiddenAccount } from './jobs.ts'

const many = 250

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const statesOf = async (ownerId: string) => {
  const { rows } = await sql<{ hidden: number; shown: number }>`
    select count(takedown_reason)::int as hidden, (count(*) - count(takedown_reason))::int as shown
    from videos where owner_id = ${ownerId}`.execute(site.db)
  return rows[0]
}

test('a large channel is hidden at once, its videos in batches, and so it is shown again and deleted', async () => {
  const moderator = await signUp(site)
  await sql`update users set role = 'administrator' where id = ${moderator.user._id}`.execute(site.db)
  const { user } = await signUp(site)
  const template = await addVideo(site, user._id)
  await sql`
    insert into videos select (jsonb_populate_record(v, jsonb_build_object('id', 'many' || i, 'thumbnail', 'many' || i))).*
    from videos v, generate_series(2, ${many}::int) i where v.id = ${template}`.execute(site.db)
  const visitor = site.client()
  const seen = async () => (await visitor.get(`/api/v1/video/many${many}`)).status
  const change = (isSuspended: boolean) =>
    moderator.client.call(changeSuspension, {
      params: { username: user.username },
      body: { isSuspended, hidesContent: true },
    })
  const running = new AbortController()
  const work = () => reconcileHiddenAccount.handle({ id: user._id }, site.context, running.signal)

  expect(await seen()).toBe(200)
  await change(true)
  expect(await seen()).toBe(404)
  expect((await visitor.get('/api/v1/video/all')).text).not.toContain(user.username)
  expect(await statesOf(user._id)).toEqual({ hidden: 0, shown: many })
  // a worker that ends in the middle
  const stopping = new AbortController()
  const stopped = reconcileHiddenAccount.handle({ id: user._id }, site.context, stopping.signal)
  await expect.poll(async () => (await statesOf(user._id))?.hidden, { interval: 5 }).toBeGreaterThan(0)
  stopping.abort()
  await stopped.catch(() => undefined)
  expect(await seen()).toBe(404)
  await work()
  expect(await statesOf(user._id)).toEqual({ hidden: many, shown: 0 })
  expect(await seen()).toBe(404)

  await change(false)
  await work()
  expect(await statesOf(user._id)).toEqual({ hidden: 0, shown: many })
  expect(await seen()).toBe(200)

  await moderator.client.call(deletePerson, { params: { username: user.username } })
  expect(await seen()).toBe(404)
  await removeLeavingAccounts.handle({}, site.context, running.signal)
  expect(await statesOf(user._id)).toEqual({ hidden: 0, shown: 0 })
  expect((await sql`select from users where id = ${user._id}`.execute(site.db)).rows).toEqual([])
})
