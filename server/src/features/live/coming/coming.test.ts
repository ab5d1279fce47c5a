import { announceStream } from '@kinora/contract/live/announcements.ts'
import { listComing } from '@kinora/contract/live/coming.ts'
import { putReminder } from '@kinora/contract/live/premieres.ts'
import { mutePerson } from '@kinora/contract/conversation/mutes.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { getChannelProfile } from '@kinora/contract/watching/channels.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { publishScheduledVideos } from '../../videos/videos/actions/publish-scheduled.ts'
import { calendarOf } from './rules.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { LIVE: 'true', PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

const inMinutes = (minutes: number) => new Date(site.clock.now().getTime() + minutes * 60_000).toISOString()

/** A channel with a premiere in an hour, and streams before and after it. */
async function addChannel() {
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const premiere = await addVideo(site, user._id, { title: 'A premiere', durationSeconds: 600 })
  await client.call(changeOwnVideo, {
    params: { id: premiere },
    body: { visibility: 'scheduled', publishAt: inMinutes(60), isPremiere: true },
  })
  const announce = async (title: string, minutes: number, visibility: 'public' | 'members' | 'unlisted') =>
    (
      await client.call(announceStream, {
        body: { title, visibility, keepsRecording: true, startsAt: inMinutes(minutes) },
      })
    ).videoId
  const early = await announce('Early; with, signs', 30, 'public')
  const late = await announce('For members', 90, 'members')
  await announce('With the link', 40, 'unlisted')
  return { client, username: user.username, premiere, early, late }
}

const idsFor = async (client: TestClient, query: { channel?: string; subscribed?: 'true' }) =>
  (await client.call(listComing, { query })).map(({ _id }) => _id)

test('lists what a channel has announced, the earliest first, to those who may see it', async () => {
  const { username, premiere, early, late } = await addChannel()
  const { client: member } = await signUp(site)
  expect(await idsFor(site.client(), { channel: username })).toEqual([early, premiere])
  expect(await idsFor(member, { channel: username.toUpperCase() })).toEqual([early, premiere, late])
  expect(await idsFor(member, {})).toEqual(expect.arrayContaining([early, premiere, late]))
  await member.call(putReminder, { params: { videoId: early } })
  const [first] = await member.call(listComing, { query: { channel: username } })
  expect(first).toMatchObject({ kind: 'stream', isNow: false, isReminded: true })
  const profile = await member.call(getChannelProfile, { params: { username } })
  expect(profile.hasComing).toBe(true)
})

test('lists only channels that somebody follows, without those they muted', async () => {
  const { username, early } = await addChannel()
  const { client } = await signUp(site)
  expect(await idsFor(client, { subscribed: 'true' })).toEqual([])
  await client.call(toggleSubscription, { params: { username } })
  expect(await idsFor(client, { subscribed: 'true' })).toContain(early)
  await client.call(mutePerson, { params: { username }, body: { isBlocked: false } })
  expect(await idsFor(client, {})).not.toContain(early)
  expect(await idsFor(client, { channel: username })).toContain(early)
})

test('a premiere runs for as long as its video lasts', async () => {
  const { client, username, premiere } = await addChannel()
  const find = async () =>
    (await client.call(listComing, { query: { channel: username } })).find(({ _id }) => _id === premiere)
  site.clock.advance(60 * 60_000 + 1000)
  await publishScheduledVideos(site.context)
  expect(await find()).toMatchObject({ kind: 'premiere', isNow: true })
  site.clock.advance(600_000)
  expect(await find()).toBeUndefined()
})

test('has a calendar of what visitors see', async () => {
  const { username, early, premiere } = await addChannel()
  const { status, text, headers } = await site.client().get(`/feeds/coming.ics?channel=${username}`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(text).toContain(`UID:${early}@`)
  expect(text).toContain(String.raw`SUMMARY:Early\; with\, signs`)
  expect(text).toContain(`/video/${premiere}\r\n`)
  expect(text).toContain('DURATION:PT10M')
  expect(text).not.toContain('For members')
  expect(text).not.toContain('With the link')
})

test('folds lines of a calendar at 75 bytes, between characters', () => {
  const title = `${'ä'.repeat(60)}\nsecond line`
  const owner = { _id: 'u', username: 'ines', fullname: 'Ines', avatar: '' }
  const text = calendarOf({ origin: 'https://v.example', name: 'Site', now: new Date(0) }, [
    {
      _id: 'a',
      title,
      thumbnail: '',
      videoOwner: owner,
      kind: 'stream',
      startsAt: '2026-05-09T08:15:00.000Z',
      isNow: false,
      isReminded: false,
      durationSeconds: 0,
    },
  ])
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${'ä'.repeat(60)}${String.raw`\n`}second line`)
  expect(text).toContain('DTSTART:20260509T081500Z\r\nDURATION:PT60M\r\n')
})
