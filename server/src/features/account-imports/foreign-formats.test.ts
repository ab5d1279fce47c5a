import { putChannelProfile } from '@kinora/contract/channels.ts'
import { listOwnPlaylists } from '@kinora/contract/playlists.ts'
import { getVideo } from '@kinora/contract/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { drawClip } from '../../testing/fixtures/test-clips.ts'
import { importInto, zipOf } from '../../testing/fixtures/test-imports.ts'
import { drawPicture, signUp } from '../../testing/fixtures/test-users.ts'

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
  const again = await importInto(site, person, archive)
  expect(again.report.counts.filter(({ imported }) => imported > 0)).toEqual([])
})
