import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listComments } from '@kinora/contract/conversation/comments.ts'
import { listHistory } from '@kinora/contract/watching/history.ts'
import { putChannelProfile } from '@kinora/contract/watching/channels.ts'
import { listOwnPlaylists } from '@kinora/contract/watching/playlists.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { importInto } from '../../../testing/fixtures/test-imports.ts'
import { zipOf } from '@kinora/platform/testing/zip-of.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { drawPicture, signUp } from '../../../testing/fixtures/test-users.ts'
import { newPipeMaxRows } from '@kinora/importers/lists/read-newpipe.ts'

let site: TestApp
let clip: Buffer

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
  clip = Buffer.from(await drawClip('mp4'))
})
afterAll(() => site.close())

const videosOf = (userId: string) =>
  site.db
    .selectFrom('videos')
    .select([
      'id',
      'title',
      'description',
      'visibility',
      'createdAt',
      'tags',
      'category',
      'licence',
      'commentsHeld',
    ])
    .where('ownerId', '=', userId)
    .orderBy('title')
    .execute()

const glacier = {
  uuid: '6b6f3c1e-0000-4000-8000-000000000001',
  url: 'https://tube.example/videos/watch/6b6f3c1e',
  name: 'Glacier',
  description: 'Ice',
  privacy: 2,
  category: 6,
  licence: 1,
  language: 'en',
  tags: ['ice'],
  publishedAt: '2022-02-03T04:05:06.000Z',
  originallyPublishedAt: null,
  commentsPolicy: 3,
  downloadEnabled: true,
  isLive: false,
  chapters: [
    { timecode: 0, title: 'Snow' },
    { timecode: 1, title: 'Melt' },
  ],
  archiveFiles: {
    videoFile: '../files/videos/video-files/6b6f3c1e.mp4',
    thumbnail: '../files/videos/thumbnails/6b6f3c1e.jpg',
    captions: { en: '../files/videos/captions/6b6f3c1e-en.vtt' },
  },
}

test('imports videos and playlists of a PeerTube archive', async () => {
  const person = await signUp(site)
  const picture = await drawPicture(64, 36, 'jpeg')
  const archive = await zipOf({
    'peertube/videos.json': {
      videos: [glacier, { ...glacier, uuid: 'no-file', url: '', name: 'Without file', archiveFiles: null }],
    },
    'peertube/video-playlists.json': {
      videoPlaylists: [
        {
          uuid: 'playlist',
          displayName: 'Cold',
          description: null,
          privacy: 1,
          type: 1,
          createdAt: '2022-02-03T04:05:06.000Z',
          updatedAt: '2022-02-03T04:05:06.000Z',
          elements: [{ videoUrl: glacier.url }, { videoUrl: 'https://tube.example/videos/watch/other' }],
        },
      ],
    },
    'peertube/comments.json': {
      comments: [
        { url: 'c1', text: 'Cold', createdAt: '2022-03-01T00:00:00.000Z', videoUrl: glacier.url },
        {
          url: 'c2',
          text: 'Colder',
          createdAt: '2022-03-02T00:00:00.000Z',
          videoUrl: glacier.url,
          inReplyToCommentUrl: 'c1',
        },
        { url: 'c3', text: 'Far', createdAt: '2022-03-02T00:00:00.000Z', videoUrl: 'https://far.example/1' },
      ],
    },
    'peertube/likes.json': {
      likes: [glacier.url, 'https://far.example/1'].map((videoUrl) => ({ videoUrl, createdAt: null })),
    },
    'peertube/video-history.json': {
      watchedVideos: [
        {
          videoUrl: glacier.url,
          lastTimecode: 1,
          createdAt: '2022-03-01T00:00:00.000Z',
          updatedAt: '2022-03-03T00:00:00.000Z',
        },
      ],
    },
    'peertube/following.json': { following: [{ targetHandle: 'sea@tube.example', createdAt: null }] },
    'files/videos/video-files/6b6f3c1e.mp4': clip,
    'files/videos/thumbnails/6b6f3c1e.jpg': new Uint8Array(await picture.arrayBuffer()),
    'files/videos/captions/6b6f3c1e-en.vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nSnow\n',
  })
  const { state, format, report } = await importInto(site, person, archive)
  expect([state, format]).toEqual(['done', 'peertube'])
  expect(report.problems.map(({ kind, name, address }) => [kind, name, address])).toEqual([
    ['videos', 'Without file', null],
    ['playlist entries', 'https://tube.example/videos/watch/other', null],
    ['comments', 'https://far.example/1', null],
    ['likes of videos', 'https://far.example/1', null],
    ['subscriptions', 'sea@tube.example', 'https://tube.example/c/sea'],
  ])
  const [video, ...others] = await videosOf(person.user._id)
  expect(others).toEqual([])
  expect(video).toMatchObject({
    title: 'Glacier',
    visibility: 'unlisted',
    createdAt: new Date('2022-02-03T04:05:06.000Z'),
    tags: ['ice'],
    category: 'travel',
    licence: 'cc-by-4.0',
    commentsHeld: true,
  })
  const [shown] = await person.client.call(getVideo, { params: { id: video?.id ?? '' } })
  expect(shown?.captions).toMatchObject([{ language: 'en', label: 'English' }])
  expect(shown?.description).toBe('Ice\n\n00:00:00 Snow\n00:00:01 Melt')
  const comments = await person.client.call(listComments, { params: { videoId: video?.id ?? '' } })
  expect(comments.items).toMatchObject([
    { content: 'Cold', createdAt: '2022-03-01T00:00:00.000Z', replies: 1 },
  ])
  expect(shown).toMatchObject({ totalLikes: 1 })
  const history = await person.client.call(listHistory, { query: {} })
  expect(history.items).toMatchObject([{ watchedAt: '2022-03-03T00:00:00.000Z', positionSeconds: 1 }])
  const playlists = await person.client.call(listOwnPlaylists, {})
  expect(playlists).toContainEqual(
    expect.objectContaining({ title: 'Cold', visibility: 'public', videosCount: 1 }),
  )
})

test('imports videos, playlists and subscriptions of YouTube Takeout', async () => {
  const [person, channel] = [await signUp(site), await signUp(site)]
  await channel.client.call(putChannelProfile, {
    body: { about: '', links: ['http://youtube.com/channel/UCsea/'] },
  })
  const root = 'Takeout/YouTube and YouTube Music'
  const archive = await zipOf({
    [`${root}/video metadata/videos.csv`]: [
      'Video ID,Approx Duration (ms),Video Category,Video Description (Original),Video Title (Original),Privacy,Video State,Video Create Timestamp,Video Publish Timestamp,Tag 1,Tag 2',
      'abc,2000,Travel & Events,"Ice, and\nmore",Ice: part 1?,Public,Processed,2021-01-30T05:26:03+00:00,2021-02-01T00:00:00+00:00,ice,snow',
      'def,2000,Music,,Elsewhere,Private,Processed,2021-01-30T05:26:03+00:00,,,',
    ].join('\n'),
    [`${root}/videos/Ice_ part 1_.mp4`]: clip,
    [`${root}/videos/Untold.mp4`]: clip,
    [`${root}/playlists/playlists.csv`]: [
      'Playlist ID,Add new videos to top,Playlist Title (Original),Playlist Create Timestamp,Playlist Update Timestamp,Playlist Visibility',
      'PL1,False,Cold,2021-03-01T00:00:00+00:00,2021-03-02T00:00:00+00:00,Public',
    ].join('\n'),
    [`${root}/playlists/Cold-videos.csv`]: [
      'Video ID,Playlist Video Creation Timestamp',
      'abc,2021-03-01T00:00:00+00:00',
      'xyz,2021-03-01T00:00:00+00:00',
    ].join('\n'),
    [`${root}/comments/comments.csv`]: [
      'Comment ID,Channel ID,Comment Create Timestamp,Price,Parent Comment ID,Post ID,Video ID,Comment Text,Top-Level Comment ID',
      'C1,UCme,2021-04-01T00:00:00+00:00,0,,,abc,"{""text"":""@sea"",""mention"":{}},{""text"":"" so cold""}",',
      'C2,UCme,2021-04-02T00:00:00+00:00,0,C1,,abc,"{""takeoutSegments"":[{""text"":""Colder""}]}",C1',
      'C3,UCme,2021-04-02T00:00:00+00:00,0,of-another,,abc,"{""text"":""An answer""}",of-another',
      'C4,UCme,2021-04-02T00:00:00+00:00,0,,,xyz,"{""text"":""Elsewhere""}",',
      'C5,UCme,2021-04-02T00:00:00+00:00,0,,post,,"{""text"":""On a post""}",',
    ].join('\n'),
    [`${root}/subscriptions/subscriptions.csv`]: [
      'Kanal-ID,Kanal-URL,Kanaltitel',
      'UCsea,http://www.youtube.com/channel/UCsea,Sea',
      'UCfar,http://www.youtube.com/channel/UCfar,Far',
    ].join('\n'),
  })
  const { state, format, report } = await importInto(site, person, archive)
  expect([state, format]).toEqual(['done', 'youtube'])
  expect(report.problems.map(({ kind, name }) => [kind, name])).toEqual([
    ['videos', 'Elsewhere'],
    ['videos', 'Untold'],
    ['playlist entries', 'https://youtu.be/xyz'],
    ['comments', 'https://youtu.be/xyz'],
    ['comments', 'An answer'],
    ['subscriptions', 'Sea'],
    ['subscriptions', 'Far'],
  ])
  expect(report.counts).toContainEqual({ kind: 'subscriptions', imported: 1, present: 0, skipped: 1 })
  expect(await videosOf(person.user._id)).toMatchObject([
    {
      title: 'Ice: part 1?',
      description: 'Ice, and\nmore',
      visibility: 'public',
      createdAt: new Date('2021-02-01'),
      tags: ['ice', 'snow'],
      category: 'travel',
    },
    { title: 'Untold', visibility: 'private' },
  ])
  const [video] = await videosOf(person.user._id)
  const comments = await person.client.call(listComments, { params: { videoId: video?.id ?? '' } })
  expect(comments.items).toMatchObject([
    { content: '@sea so cold', createdAt: '2021-04-01T00:00:00.000Z', replies: 1 },
  ])
  const again = await importInto(site, person, archive)
  expect(again.report.counts.filter(({ imported }) => imported > 0)).toEqual([])
})

const takeoutColumns = 'Video ID,Video Title (Original),Privacy'
const range = Array.from({ length: 3000 }, (_, index) => index)

test.each([
  [
    'YouTube Takeout',
    { 'Takeout/videos.csv': [takeoutColumns, ...range.map((id) => `${id},T,Public`)].join('\n') },
  ],
  [
    'PeerTube archive',
    {
      'peertube/videos.json': {
        videos: range.map((uuid) => ({ uuid: `${uuid}`, name: 'T', isLive: uuid === 0 })),
      },
    },
  ],
])('reports the videos without files of a %s in one step', async (_, files) => {
  const person = await signUp(site)
  const { state, report } = await importInto(site, person, await zipOf(files))
  expect([state, report.counts]).toEqual([
    'done',
    [{ kind: 'videos', imported: 0, present: 0, skipped: range.length }],
  ])
  const steps = await site.db
    .selectFrom('accountImportSteps')
    .selectAll()
    .where('userId', '=', person.user._id)
    .execute()
  expect(steps.length).toBeLessThan(20)
})

/** A backup of NewPipe 0.27 (version 9 of its database), without the columns that are not read. */
async function newPipeBackup(statements: string): Promise<Buffer> {
  const file = join(temporaryDirectory(), 'newpipe.db')
  const database = new DatabaseSync(file)
  database.exec(statements)
  database.close()
  return zipOf({ 'newpipe.db': await readFile(file), 'newpipe.settings': Buffer.from('') })
}

const newPipeTables = `
  create table subscriptions (uid integer primary key, service_id integer not null, url text, name text);
  create table streams (uid integer primary key, service_id integer not null, url text not null, title text not null);
  create table playlists (uid integer primary key, name text, display_index integer not null default 0);
  create table playlist_stream_join (playlist_id integer, stream_id integer, join_index integer);
`

test('imports subscriptions and playlists of a NewPipe backup', async () => {
  const person = await signUp(site)
  const root = 'Takeout/YouTube and YouTube Music'
  await importInto(
    site,
    person,
    await zipOf({
      [`${root}/videos.csv`]: 'Video ID,Video Title (Original),Privacy\nabc,Ice,Public',
      [`${root}/Ice.mp4`]: clip,
    }),
  )
  const backup = await newPipeBackup(`${newPipeTables}
    insert into subscriptions values (1, 0, 'https://www.youtube.com/channel/UCfar', 'Far');
    insert into streams values (1, 0, 'https://www.youtube.com/watch?v=xyz', 'Snow'),
      (2, 0, 'https://www.youtube.com/watch?v=abc', 'Ice');
    insert into playlists (uid, name) values (7, 'Cold');
    insert into playlist_stream_join values (7, 1, 0), (7, 2, 1);`)
  const { state, format, report } = await importInto(site, person, backup)
  expect([state, format]).toEqual(['done', 'newpipe'])
  expect(report.problems.map(({ kind, name }) => [kind, name])).toEqual([
    ['subscriptions', 'Far'],
    ['playlist entries', 'Snow'],
  ])
  expect(await person.client.call(listOwnPlaylists, {})).toContainEqual(
    expect.objectContaining({ title: 'Cold', videosCount: 1 }),
  )
})

test('reports rows of a NewPipe backup above the limit', { tags: ['nightly'] }, async () => {
  const person = await signUp(site)
  const backup = await newPipeBackup(`${newPipeTables}
    with recursive n(uid) as (select 1 union all select uid + 1 from n where uid < ${newPipeMaxRows + 2})
      insert into subscriptions select uid, 0, 'https://example.org/' || uid, 'Far' from n;`)
  const { report } = await importInto(site, person, backup)
  expect(report.problems[0]).toMatchObject({
    kind: 'subscriptions',
    reason: '2 entries were left out, the limit is 100,000',
  })
})

test.each([
  ['no database', Buffer.from('not a database')],
  [
    'a table that calculates for ever',
    `${newPipeTables} drop table streams; create view streams as
      with recursive n(uid) as (select 1 union all select uid + 1 from n) select uid, 'u' as url, 't' as title from n;`,
  ],
])('refuses a NewPipe backup with %s', async (_, content) => {
  const person = await signUp(site)
  const backup =
    typeof content === 'string' ? await newPipeBackup(content) : await zipOf({ 'newpipe.db': content })
  const { state, failure } = await importInto(site, person, backup)
  expect([state, failure]).toEqual(['failed', 'The database of this NewPipe backup cannot be read'])
})
