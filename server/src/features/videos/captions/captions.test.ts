import type { OwnCaptions } from '@kinora/contract/videos/captions.ts'
import { findMoments } from '@kinora/contract/watching/search.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { insertCaptions, listUnreadFileCaptions, putFileCaptions } from './queries.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
/** As probing a file finds it. */
let source: unknown

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  const { id } = await publishSource(site, 'tide.mp4', h264)
  const row = await site.db
    .selectFrom('videos')
    .select('source')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  source = row.source
})
afterAll(() => site.close())

const makeVideo = () => addVideo(site, owner.user._id, { source: JSON.stringify(source) })
const srt = (text: string) => `1\r\n00:00:01,000 --> 00:00:02,500\r\n${text}\r\n`

interface Envelope {
  message: string
  errors?: { path: string; message: string }[]
  data: OwnCaptions[]
}

async function send(
  method: string,
  path: string,
  fields: Record<string, string>,
  file?: Uint8Array | string,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (file !== undefined) form.set('captions', new Blob([Uint8Array.from(Buffer.from(file))]), 'a.srt')
  const response = await owner.client.fetch(`/api/v1/studio/videos/${path}`, { method, body: form })
  const body: Envelope = JSON.parse(await response.text())
  return { status: response.status, body }
}

async function add(id: string, fields: Record<string, string>, file: Uint8Array | string = srt('Salt')) {
  const { status, body } = await send('POST', `${id}/captions`, fields, file)
  expect([status, body.message]).toEqual([201, 'Captions added'])
  return body.data
}

const read = async (url: string) => {
  const { status, text } = await site.client().get(url)
  return status === 200 ? text : status
}
const shown = async (id: string) => {
  const [video] = await site.client().call(getVideo, { params: { id } })
  return video?.captions.map(({ language, label }) => `${language} ${label}`)
}

test('serves added SubRip as WebVTT, and lists it for the player', async () => {
  const id = await makeVideo()
  expect(await shown(id)).toEqual([])
  const [track] = await add(id, { language: 'DE-at' }, srt('Grüße & Salz'))
  expect(track).toMatchObject({
    language: 'de-AT',
    label: 'Austrian German',
    isDefault: false,
    fileTrack: null,
  })
  expect(await shown(id)).toEqual(['de-AT Austrian German'])
  const response = await site.client().get(track?.url ?? '')
  expect([
    response.headers.get('content-type'),
    response.headers.get('cache-control'),
    response.headers.get('x-content-type-options'),
  ]).toEqual(['text/vtt; charset=utf-8', 'public, max-age=31536000, immutable', 'nosniff'])
  expect(response.text).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nGrüße &amp; Salz\n')
})

test.each([
  ['UTF-16', Buffer.from(`\uFEFF${srt('Grüße')}`, 'utf16le')],
  ['windows-1252', Buffer.from(srt('Grüße'), 'latin1')],
])('reads %s', async (_, bytes) => {
  const id = await makeVideo()
  const [track] = await add(id, { language: 'de' }, bytes)
  expect(await read(track?.url ?? '')).toContain('Grüße')
})

test('refuses a file with the lines that are wrong', async () => {
  const id = await makeVideo()
  const file = '1\n00:00:01,000 --> soon\nSalt\n\n2\n00:00:03,000 --> 00:00:02,000\nSun\n'
  const { status, body } = await send('POST', `${id}/captions`, { language: 'en' }, file)
  expect([status, body.errors]).toMatchObject([
    400,
    [
      { path: 'captions', message: 'Line 2: The time "00:00:01,000 --> soon" cannot be read' },
      { path: 'captions', message: 'Line 6: The cue ends before it begins' },
    ],
  ])
})

test.each([
  [{ language: 'klingon!' }, srt('a'), 'language'],
  [{ label: 'English' }, srt('a'), 'language'],
  [{ language: 'en', label: 'two\nlines' }, srt('a'), 'label'],
  [{ language: 'en', fileTrack: '0' }, srt('a'), 'fileTrack'],
  [{ language: 'en' }, undefined, 'captions'],
])('refuses %j', async (fields, file, path) => {
  const id = await makeVideo()
  const { status, body } = await send('POST', `${id}/captions`, fields, file)
  expect([status, body.errors?.[0]?.path]).toEqual([400, path])
})

test.each([
  ['a', 1],
  ['夜', 3],
  ['ก', 3],
])('saves 2 MB of %s without a space before the statement times out', async (letter, bytes) => {
  const text = letter.repeat(Math.floor((2 * 1024 ** 2 - 100) / bytes))
  expect(await add(await makeVideo(), { language: 'en' }, srt(text))).toHaveLength(1)
})

test('refuses files over 2 MB, and more than 50 tracks', async () => {
  const id = await makeVideo()
  const large = await send('POST', `${id}/captions`, { language: 'en' }, srt('a'.repeat(2 * 1024 ** 2)))
  expect(large.status).toBe(413)
  for (let track = 0; track < 50; track++)
    await insertCaptions(site.db, {
      id: `${id}${track}`,
      videoId: id,
      language: 'en',
      label: 'x',
      content: 'WEBVTT',
    })
  const { status, body } = await send('POST', `${id}/captions`, { language: 'en' }, srt('a'))
  expect([status, body.message]).toEqual([400, 'A video has at most 50 tracks'])
})

test('refuses changes of captions that were changed since, unless they are to be replaced', async () => {
  const id = await makeVideo()
  const [first] = await add(id, { language: 'en' }, srt('Tide'))
  const path = `${id}/captions/${first?._id}`
  const url = first?.url ?? ''
  const changed = await send('PATCH', path, { url }, srt('Ebb'))
  expect(changed.status).toBe(200)
  const refused = await send('PATCH', path, { url }, srt('Flood'))
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await read(changed.body.data[0]?.url ?? '')).toContain('Ebb')
  const replaced = await send('PATCH', path, {}, srt('Flood'))
  expect(await read(replaced.body.data[0]?.url ?? '')).toContain('Flood')
})

test('changes text, language, label and default, and deletes', async () => {
  const id = await makeVideo()
  const [english] = await add(id, { language: 'en', isDefault: 'true' })
  await add(id, { language: 'de', label: 'Deutsch', isDefault: 'true' })
  expect(await shown(id)).toEqual(['de Deutsch', 'en English'])
  const path = `${id}/captions/${english?._id}`
  const changed = await send(
    'PATCH',
    path,
    { label: 'British', language: 'en-GB', isDefault: 'true' },
    srt('Sun'),
  )
  expect(changed.status).toBe(200)
  expect(await shown(id)).toEqual(['en-GB British', 'de Deutsch'])
  const [track] = changed.body.data
  expect(await read(track?.url ?? '')).toContain('Sun')
  expect(await read(english?.url ?? '')).toBe(404)
  expect((await send('DELETE', path, {})).status).toBe(200)
  expect(await shown(id)).toEqual(['de Deutsch'])
  expect(await read(track?.url ?? '')).toBe(404)
  expect((await send('DELETE', path, {})).status).toBe(404)
})

test('an edited copy takes the place of a track of the file, until it is deleted', async () => {
  const captions = [
    { position: 0, language: 'en', label: 'English' },
    { position: 1, language: 'fr', label: 'French' },
  ]
  const id = await addVideo(site, owner.user._id, { source: { container: 'mp4', captions } })
  const list = (await owner.client.get(`/api/v1/studio/videos/${id}/captions`)).body.data as OwnCaptions[]
  expect(list.map(({ _id, fileTrack }) => [_id, fileTrack])).toEqual([
    [null, 0],
    [null, 1],
  ])
  const fields = { language: 'fr', label: 'Corrected', fileTrack: '1' }
  const added = await add(id, fields)
  expect(await shown(id)).toEqual(['en English', 'fr Corrected'])
  expect((await send('POST', `${id}/captions`, fields, srt('a'))).status).toBe(400)
  await send('DELETE', `${id}/captions/${added[1]?._id}`, {})
  expect(await shown(id)).toEqual(['en English', 'fr French'])
})

test('text of captions in a file is read once, and again from a new file', async () => {
  const captions = [{ position: 0, language: 'en', label: 'English' }]
  const id = await addVideo(site, owner.user._id, { source: { container: 'mp4', captions } })
  const unread = async () =>
    (await listUnreadFileCaptions(site.db, 100)).filter(({ videoId }) => videoId === id)
  const found = async (text: string) =>
    (await site.client().call(findMoments, { query: { text } })).map((moment) => moment.text)
  const vtt = (line: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${line}\n`
  const ofFirst = { videoId: id, fileTrack: 0, replacement: null }
  expect(await unread()).toEqual([ofFirst])
  await putFileCaptions(site.db, ofFirst, vtt('An avocet'))
  expect([await unread(), await found('avocet')]).toEqual([[], ['An avocet']])

  await add(id, { language: 'en', fileTrack: '0' }, srt('A corrected curlew'))
  expect([await found('avocet'), await found('curlew')]).toEqual([[], ['A corrected curlew']])
  await site.db.deleteFrom('captions').where('videoId', '=', id).execute()

  await site.db.updateTable('videos').set({ replacement: 'r1' }).where('id', '=', id).execute()
  expect([await unread(), await found('avocet')]).toEqual([[{ ...ofFirst, replacement: 'r1' }], []])
  await putFileCaptions(site.db, ofFirst, vtt('Late'))
  expect(await unread()).toHaveLength(1)
  await putFileCaptions(site.db, { ...ofFirst, replacement: 'r1' }, vtt('A plover'))
  expect([await unread(), await found('plover')]).toEqual([[], ['A plover']])
})

test('go with their video', async () => {
  const id = await makeVideo()
  const [track] = await add(id, { language: 'en' })
  await owner.client.delete(`/api/v1/video/${id}`)
  expect(await read(track?.url ?? '')).toBe(404)
  const { rows } = await sql`select from captions where video_id = ${id}`.execute(site.db)
  expect(rows).toEqual([])
})
