import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { listWordMatches, maxCorrected, recountWords } from './queries/vocabulary.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { TRUST_PROXY: 'true', SEARCHES_PER_MINUTE: '50' } })
})
afterAll(() => site.close())

const get = (address: string, path: string) =>
  site.client().fetch(`/api/v1/video${path}`, { headers: { 'x-forwarded-for': address } })

const fruits = 'apple banana cherry grapes lemon mango orange papaya peach plums quince raspberry'.split(' ')

test('corrects only a few words of a text that consists of mistakes', async () => {
  const { user } = await signUp(site)
  await addVideo(site, user._id, { title: fruits.join(' ') })
  await recountWords(site.db)
  const typed = fruits.map((fruit) => `${fruit.slice(0, -1)}x`)
  const { words, matches } = await listWordMatches(site.db, typed.join(' '))
  expect(words).toEqual(expect.arrayContaining(typed))
  expect(new Set(matches.map(({ word }) => word))).toEqual(new Set(typed.slice(0, maxCorrected)))
})

test('rejects a flood of searches without affecting other addresses', async () => {
  const searches = attackSize({ short: 60, full: 400 })
  const responses = await Promise.all(
    Array.from({ length: searches }, (_, i) => get('192.0.2.1', `/search/${i} mistayken wrods`)),
  )
  const refused = responses.filter(({ status }) => status === 429)
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(50)
  expect(refused).toHaveLength(searches - 50)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await get('192.0.2.2', '/search/apple')).status).toBe(200)
})

test('rejects a flood of suggestions, which leaves searches to the address', async () => {
  const suggest = (n: number) =>
    site.client().fetch(`/api/v1/search/suggestions?text=${n}`, {
      headers: { 'x-forwarded-for': '192.0.2.9' },
    })
  const responses = await Promise.all(Array.from({ length: 210 }, (_, n) => suggest(n)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(200)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(10)
  expect((await get('192.0.2.9', '/search/apple')).status).toBe(200)
})

test('slow searches of one address leave connections to others, and time out', async () => {
  const running = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%search_vocabulary%' and pid <> pg_backend_pid()`.execute(site.db)
    return rows.length
  }
  // searches that wait for a lock simulate slow searches
  await site.db.transaction().execute(async (transaction) => {
    await sql`lock table search_vocabulary in access exclusive mode`.execute(transaction)
    const flood = Array.from({ length: 20 }, (_, i) => get('192.0.2.3', `/search/slow ${i}`))
    await expect.poll(running).toBe(4)
    const other = get('192.0.2.4', '/search/banana')
    await expect.poll(running).toBe(5)
    expect((await get('192.0.2.3', '/all')).status).toBe(200)
    const ended = await Promise.race(flood)
    expect([ended.status, Number(ended.headers.get('retry-after'))]).toEqual([503, 2])
    void Promise.allSettled([other, ...flood])
  })
  await expect.poll(async () => (await get('192.0.2.4', '/search/cherry')).status).toBe(200)
})
