import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

const limit = 10
const flood = attackSize({ short: 25, full: 400 })
let site: TestApp
let owner: string

beforeAll(async () => {
  site = await createTestApp({
    settings: { TRUST_PROXY: 'true' },
    constants: { viewsPerViewerPerHour: limit },
  })
  site.clock.set(new Date('2026-05-01T10:00:00Z'))
  owner = (await signUp(site)).user._id
})
afterAll(() => site.close())

/** Requests views of a video. Returns how many were counted. */
async function watch(
  videoId: string,
  times: number,
  {
    client = site.client(),
    address = '192.0.2.1',
    agent = (_at: number) => 'browser',
  }: {
    client?: TestClient
    address?: string
    agent?: (at: number) => string
  } = {},
): Promise<number> {
  const viewsOf = async () => {
    const rows = await site.db
      .selectFrom('pendingViews')
      .select('views')
      .where('videoId', '=', videoId)
      .execute()
    return rows.reduce((total, { views }) => total + views, 0)
  }
  const before = await viewsOf()
  const watchOnce = async (at: number) => {
    const headers = { 'x-forwarded-for': address, 'user-agent': agent(at) }
    const response = await client.fetch(`/api/v1/video/${videoId}`, { method: 'PATCH', headers })
    await response.arrayBuffer()
    return response.status
  }
  const statuses = await Promise.all(Array.from({ length: times }, (_, at) => watchOnce(at)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  return (await viewsOf()) - before
}

test('views count up to the limit of a viewer; further ones succeed without counting', async () => {
  const video = await addVideo(site, owner)
  expect(await watch(video, limit)).toBe(limit)
  expect(await watch(video, flood)).toBe(0)
  // other browsers, addresses and videos have limits of their own
  expect(await watch(video, 25, { agent: () => 'another browser' })).toBe(limit)
  expect(await watch(video, 25, { address: '192.0.2.2' })).toBe(limit)
  expect(await watch(await addVideo(site, owner), 25)).toBe(limit)
  site.clock.advance(3600_000)
  expect(await watch(video, 25)).toBe(limit)
})

test('an account is one viewer, whatever its user agent', async () => {
  const video = await addVideo(site, owner)
  const { client } = await signUp(site)
  const disguised = { client, agent: (at: number) => `browser ${at}` }
  expect(await watch(video, 40, { ...disguised, address: '192.0.2.3' })).toBe(limit)
  expect(await watch(video, 10, { ...disguised, address: '192.0.2.4' })).toBe(0)
})

test('one network has ten times the limit, whatever its user agents and cookies', async () => {
  const video = await addVideo(site, owner)
  const client = site.client()
  client.cookies.set('session', 'x'.repeat(43))
  expect(
    await watch(video, 10 * limit + flood, {
      client,
      agent: (at) => `browser ${at}`,
      address: '2001:db8:1:1::1',
    }),
  ).toBe(10 * limit)
  expect(await watch(video, 5, { agent: (at) => `other ${at}`, address: '2001:db8:1:2::1' })).toBe(0)
})
