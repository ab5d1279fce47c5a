import { archiveFiles } from '@kinora/contract/portability/account-archive.ts'
import { putChannelProfile } from '@kinora/contract/watching/channels.ts'
import {
  addComment,
  addReply,
  editComment,
  listComments,
  markComment,
} from '@kinora/contract/conversation/comments.ts'
import { putChannelIntros, putVideoIntros } from '@kinora/contract/videos/intros.ts'
import { announceStream } from '@kinora/contract/live/announcements.ts'
import { createLiveShow } from '@kinora/contract/live/live-streams.ts'
import { createClip, putChannelClipPolicy, putClipPolicy } from '@kinora/contract/watching/clips.ts'
import { putHistoryState, putPosition, updateHistory } from '@kinora/contract/watching/history.ts'
import { toggleCommentLike, toggleVideoLike } from '@kinora/contract/conversation/likes.ts'
import { mutePerson } from '@kinora/contract/conversation/mutes.ts'
import { putChannelEmbeds, putVideoEmbeds } from '@kinora/contract/videos/embeds.ts'
import { createShareLink, openLockedVideo } from '@kinora/contract/videos/share-links.ts'
import { createPlaylistLink } from '@kinora/contract/watching/shared-playlists.ts'
import { acceptCollaboration, putCollaborator } from '@kinora/contract/videos/collaborators.ts'
import {
  addToPlaylist,
  createPlaylist,
  deletePlaylist,
  listOwnPlaylists,
} from '@kinora/contract/watching/playlists.ts'
import { dismissChannel, dismissVideo } from '@kinora/contract/watching/recommendations.ts'
import { getCut, putCut } from '@kinora/contract/videos/cuts.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import {
  createChannelGroup,
  deleteChannelGroup,
  listChannelGroups,
  toggleSubscription,
} from '@kinora/contract/watching/subscriptions.ts'
import { putLanguage, putViewing } from '@kinora/contract/accounts/users.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip, drawClipWithCaptions } from '@kinora/media/testing/test-clips.ts'
import { deflatedZip, exportAccount, importInto, unzip } from '../../../testing/fixtures/test-imports.ts'
import { zipOf } from '@kinora/platform/testing/zip-of.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { drawPicture, signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { newId } from '@kinora/platform/ids.ts'
import { insertCaptions } from '../../videos/captions/queries.ts'
import { putWatchedWords } from '../../conversation/comments/queries/moderation.ts'
import { putChoice } from '../../messages/notification-mails/queries.ts'
import { replaceKinds } from '../../messages/notifications/queries/chosen-kinds.ts'
import { putSubscriptionsPrivate } from '../../watching/subscriptions/queries.ts'

let site: TestApp
/** Another Kinora, with accounts and videos of its own. */
let elsewhere: TestApp

const settings = { PREPARE_POLICY: 'none', LIVE: 'true', LIVE_ROLE: 'member' }

beforeAll(async () => {
  site = await createTestApp({ settings })
  elsewhere = await createTestApp({ settings })
})
afterAll(async () => {
  await site.close()
  await elsewhere.close()
})

type Person = Awaited<ReturnType<typeof signUp>>

const vtt = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`

const videoChanges = [
  {
    visibility: 'public',
    description: '0:00 Ice\n0:01 Water',
    tags: ['ice'],
    category: 'travel',
    language: 'de',
    licence: 'cc-by-4.0',
    downloadsAllowed: true,
    commentsHeld: true,
    sensitiveReason: 'Medical pictures',
  },
  { visibility: 'members', commentsAllowed: false },
  { visibility: 'scheduled', publishAt: '2030-01-02T03:04:05.000Z' },
  { visibility: 'unlisted' },
] as const

/** An account with every kind of content; of every field, with other values than a new account has. */
async function fill(member: Person): Promise<void> {
  const { client, user } = member
  const other = await signUp(site)
  const { username } = other.user
  const clips = [await drawClipWithCaptions(), await drawClip('webm'), await drawClip('ogg')]
  const ids: string[] = []
  for (const [index, title] of ['Glacier', 'Moraine', 'Fjord', 'Tarn', 'Firn'].entries()) {
    const { _id: id } = await upload(client, title, clips[index] ?? (await drawClip('mp4')))
    const changes = videoChanges[index] ?? { visibility: 'private' as const, viewers: [username] }
    await client.call(changeOwnVideo, { params: { id }, body: { ...changes } as never })
    ids.push(id)
  }
  const [first = '', second = '', , fourth = ''] = ids
  await client.call(putCut, {
    params: { id: fourth },
    body: { keep: [{ startSeconds: 0.5, endSeconds: 1.8 }] },
  })
  await client.call(changeOwnVideo, { params: { id: fourth }, body: { description: '0:00 Still' } })
  await client.call(putPosition, { params: { videoId: fourth }, body: { positionSeconds: 1 } })
  const captions = { videoId: first, label: 'Corrected', content: vtt('Salt') }
  await insertCaptions(site.db, { ...captions, id: newId(), language: 'en', fileTrack: 0, isDefault: true })
  await insertCaptions(site.db, {
    ...captions,
    id: newId(),
    language: 'fr',
    isAutomatic: true,
    content: vtt('Sel'),
  })
  await site.db
    .updateTable('videos')
    .set({ createdAt: new Date('2025-03-01') })
    .where('id', '=', first)
    .execute()

  const show = { title: 'Ice talk', description: 'On Mondays', keepsRecording: true }
  await client.call(createLiveShow, { body: { ...show, visibility: 'unlisted' } })
  const startsAt = new Date(site.clock.now().getTime() + 30 * 24 * 3600_000).toISOString()
  await client.call(announceStream, { body: { ...show, visibility: 'members', startsAt } })

  const foreign = await addVideo(site, other.user._id, { title: 'Tide' })
  const thread = await client.call(addComment, { body: { videoId: first, content: 'Waves' } })
  await client.call(editComment, {
    params: { commentId: thread._id },
    body: { content: 'Slow waves at 0:01' },
  })
  await site.db
    .updateTable('comments')
    .set({ timeDates: JSON.stringify({ 1: '2026-01-02T03:04:05.000Z' }) })
    .where('id', '=', thread._id)
    .execute()
  await client.call(markComment, {
    params: { videoId: first, commentId: thread._id },
    body: { isPinned: true, isHearted: true },
  })
  await client.call(addReply, { params: { commentId: thread._id }, body: { content: 'More waves' } })
  await client.call(addComment, { body: { videoId: foreign, content: 'Elsewhere' } })
  const strange = await other.client.call(addComment, { body: { videoId: foreign, content: 'Ebb' } })
  for (const id of [first, foreign]) await client.call(toggleVideoLike, { params: { id } })
  for (const commentId of [thread._id, strange._id])
    await client.call(toggleCommentLike, { params: { commentId } })

  for (const videoId of [foreign, second]) await client.call(updateHistory, { params: { videoId } })
  for (const body of [{ positionSeconds: 0, isFinished: true }, { positionSeconds: 12.5 }])
    await client.call(putPosition, { params: { videoId: foreign }, body })
  await client.call(putPosition, { params: { videoId: first }, body: { positionSeconds: 1.5 } })
  await client.call(putHistoryState, { body: { isPaused: true } })

  await client.call(toggleSubscription, { params: { username } })
  await client.call(createChannelGroup, { body: { name: 'Seas', usernames: [username] } })
  const playlist = { title: 'Water', description: 'Wet', visibility: 'unlisted' } as const
  const { _id: water } = await client.call(createPlaylist, { body: playlist })
  for (const playlistId of [water, 'watchlater'])
    for (const videoId of [second, foreign, first])
      await client.call(addToPlaylist, { params: { playlistId, videoId } })

  const dismissed = await addVideo(site, other.user._id, { title: 'Dull' })
  await client.call(dismissVideo, { params: { videoId: dismissed } })
  await client.call(dismissChannel, { params: { username } })
  const muted = await signUp(site)
  await client.call(mutePerson, { params: { username: muted.user.username }, body: { isBlocked: true } })
  await client.call(putCollaborator, { params: muted.user, body: { role: 'editor' } })
  await muted.client.call(acceptCollaboration, { params: user })
  await client.call(putChannelEmbeds, { body: { allowed: 'sites', sites: ['example.org'] } })
  const embeds = { own: { allowed: 'sites' as const, sites: ['club.example.org'] } }
  await client.call(putVideoEmbeds, { params: { id: first }, body: embeds })
  await client.call(putClipPolicy, { params: { id: first }, body: { clips: 'allowed' } })
  await client.call(putChannelClipPolicy, { body: { clips: 'off' } })
  await client.call(putVideoIntros, { params: { id: first }, body: { isOn: false } })
  await client.call(putChannelIntros, { body: { introId: second, outroId: fourth } })
  for (const [videoId, startSeconds] of [
    [first, 0.5],
    [foreign, 3],
    [foreign, 4],
  ] as const)
    await client.call(createClip, {
      body: { videoId, title: 'Melt', startSeconds, endSeconds: startSeconds + 1.2 },
    })
  const message = { id: newId(), videoId: foreign, userId: user._id, text: 'Hello', sentAt: new Date() }
  await site.db.insertInto('chatMessages').values(message).execute()
  await shareByLinks(member, { videoId: ids.at(-1) ?? '', playlistId: water })
  await putWatchedWords(site.db, user._id, { watchedWords: 'casino', watchedWordsAction: 'refuse' })
  await client.call(putLanguage, { body: { language: 'fr' } })
  await client.call(putViewing, { body: { sensitiveVideos: 'blur', languages: ['de'] } })
  await replaceKinds(site.db, 'mutedNotifications', user._id, ['comment'])
  await putSubscriptionsPrivate(site.db, user._id, true)
  await putChoice(site.db, user._id, { frequency: 'daily', hour: 17, kinds: ['reply'] })
  await client.call(putChannelProfile, {
    body: { about: 'About ice', links: ['https://example.org/'], pinnedVideoId: first },
  })
}

/** A lock of a private video, which somebody has opened, and a link to a playlist. */
async function shareByLinks({ client }: Person, { videoId, playlistId }: Record<string, string>) {
  const [params, password] = [{ id: videoId ?? '' }, 'seagull']
  const expiresAt = '2030-01-02T03:04:05.000Z'
  const lock = { isListed: true, showsPicture: true, allowsDownload: true, maxViewers: 9, expiresAt }
  await client.call(createShareLink, { params, body: { name: 'Class 4b', password, ...lock } })
  await site.client().call(openLockedVideo, { params, body: { password } })
  const body = { name: 'Club' }
  await client.call(createPlaylistLink, { params: { playlistId: playlistId ?? '' }, body })
}

const signUpWithCover = async () => signUp(site, { coverImage: await drawPicture(1600, 400) })

const schema = z.toJSONSchema(z.object(archiveFiles))

/** Values of a new account or video; other fields are null, an empty text or list, 0 or false. */
const defaults: Record<string, unknown> = {
  commentsAllowed: true,
  visibility: 'public',
  watchedWordsAction: 'hold',
  subscriptionsVisibleTo: 'members',
  frequency: 'off',
  fileTrack: null,
  playsIntros: true,
}

const isDefault = (field: string, value: unknown) =>
  field in defaults
    ? value === defaults[field]
    : value === null || value === '' || value === 0 || value === false || (value as unknown[]).length === 0

type Properties = { properties?: object; items?: object; anyOf?: object[] }

/** The fields that have nothing but defaults in all of the values, by their path in the schema. */
function untestedFields(node: Properties, values: readonly unknown[], path = ''): string[] {
  const present = values.filter((value) => value !== null && value !== undefined)
  if (node.anyOf) return node.anyOf.flatMap((each) => untestedFields(each, present, path))
  if (node.items) return untestedFields(node.items, present.flat(), `${path}[]`)
  return Object.entries(node.properties ?? {}).flatMap(([field, inner]) => {
    const found = present.map((value) => (value as Record<string, unknown>)[field])
    const name = `${path}.${field}`
    return found.every((value) => value === undefined || isDefault(field, value))
      ? [name]
      : untestedFields(inner, found, name)
  })
}

/** The parsed JSON of an archive, by the names of `archiveFiles`. */
async function jsonOf(archive: Buffer): Promise<Record<string, unknown[]>> {
  const files = await unzip(archive)
  const named = [...files].filter(([name]) => name.endsWith('.json'))
  return Object.fromEntries(
    Object.keys(archiveFiles).map((file) => {
      const pattern = new RegExp(`^${file.replace('<id>', '[^/]+')}$`)
      return [
        file,
        named.filter(([name]) => pattern.test(name)).map(([, bytes]) => JSON.parse(String(bytes))),
      ]
    }),
  )
}

test('the account of these tests has more than defaults in every field of an archive', async () => {
  const member = await signUpWithCover()
  await fill(member)
  const files = await jsonOf(await exportAccount(site, member))
  const untested = Object.entries(schema.properties ?? {}).flatMap(([file, node]) =>
    untestedFields(node as Properties, files[file] ?? [], file),
  )
  expect(untested).toEqual([])
  const links = await site.db.selectFrom('shareLinks').select(['secret', 'passwordHash']).execute()
  const written = JSON.stringify(files)
  const secrets = links.flatMap(({ secret, passwordHash }) =>
    passwordHash === null ? [secret] : [secret, passwordHash],
  )
  expect(secrets.filter((hidden) => written.includes(hidden))).toEqual([])
  const visibilities = files['videos/<id>/video.json']?.map(
    (video) => (video as { visibility: string }).visibility,
  )
  expect(visibilities?.toSorted()).toEqual(['members', 'private', 'public', 'scheduled', 'unlisted'])
})

/** Fields of the account itself, which an import leaves as they are. */
const ofAccount = ['id', 'exportedAt', 'preferredUsername', 'name', 'email', 'published']

type Row = Record<string, unknown>

/** Fields that an import may change in a row of a file: see docs/moving.md. */
function unchanging(name: string, row: Row): Row {
  if (name === 'account.json') {
    const groups = (row['channelGroups'] as Row[]).map((group) => ({ ...group, published: '' }))
    expect(row['version']).toBe(4)
    return {
      ...row,
      version: 0,
      ...Object.fromEntries(ofAccount.map((field) => [field, ''])),
      channelGroups: groups,
    }
  }
  // every account has had its own Watch later since it was created
  if (name === 'playlists.json')
    return { ...row, id: '', ...(row['isWatchLater'] === true && { published: '', updated: '' }) }
  if (name === 'comments.json') return { ...row, id: '', inReplyTo: row['inReplyTo'] !== null }
  if (['clips.json', 'shows.json', 'announced-streams.json'].includes(name)) return { ...row, id: '' }
  if (name === 'comment-likes.json') return { ...row, comment: '' }
  return row
}

/** An import invites nobody, makes no links, and says nothing in chats. */
const forReading = new Set(['collaborators.json', 'share-links.json', 'chat-messages.json'])

/** The files of an archive without what an import may change. Ids of own videos become their names. */
async function comparable(archive: Buffer, { user }: Person): Promise<Record<string, unknown>> {
  const files = await unzipLists(archive)
  const own = [...files]
    .filter(([name]) => name.endsWith('video.json'))
    .map(([, bytes]) => JSON.parse(String(bytes)))
  const named = (text: string) => {
    const plain = own.reduce((left: string, { id, name }) => left.replaceAll(id, name), text)
    return plain.replaceAll(`"attributedTo":"${user.username}"`, '"attributedTo":"own"')
  }
  const rowOf = (name: string, row: Row): unknown => JSON.parse(named(JSON.stringify(unchanging(name, row))))
  const order = (row: unknown) =>
    JSON.stringify(Object.entries(row as Row).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return Object.fromEntries(
    [...files].map(([name, bytes]) => {
      // pictures are encoded again
      if (name.endsWith('.webp')) return [named(name), 'a picture']
      if (forReading.has(name)) return [name, 'for reading']
      if (!name.endsWith('.json') || name === 'schema.json') return [named(name), bytes.toString('base64')]
      const content = JSON.parse(String(bytes)) as Row | Row[]
      if (!Array.isArray(content)) return [named(name), rowOf(name, content)]
      const rows = content.map((row) => rowOf(name, row))
      return [named(name), rows.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))]
    }),
  )
}

/** The files of an archive, with a single one for each list. */
async function unzipLists(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = await unzip(archive)
  for (const [name, bytes] of files) {
    const list = /^([a-z-]+)-\d+\.json$/.exec(name)?.[1]
    if (list === undefined) continue
    const rows = [files.get(`${list}.json`), bytes].flatMap((each) => JSON.parse(String(each)))
    files.set(`${list}.json`, Buffer.from(JSON.stringify(rows)))
    files.delete(name)
  }
  return files
}

/** Asserts that two archives are equal but for what an import may change. */
async function expectEqual(before: [Buffer, Person], after: [Buffer, Person]): Promise<void> {
  const [wanted, got] = [await comparable(...before), await comparable(...after)]
  expect(Object.keys(got).toSorted()).toEqual(Object.keys(wanted).toSorted())
  for (const [name, content] of Object.entries(wanted)) expect([name, got[name]]).toEqual([name, content])
}

const importedKinds = (report: Awaited<ReturnType<typeof importInto>>['report']) =>
  report.counts.filter(({ imported }) => imported > 0)

test('an export of an imported account equals the export that was imported', async () => {
  const [member, fresh] = [await signUpWithCover(), await signUp(site)]
  await fill(member)
  const archive = await exportAccount(site, member)
  const { state, report, format, progress } = await importInto(site, fresh, archive)
  expect({ state, format, progress }).toEqual({ state: 'done', format: 'kinora', progress: 1 })
  expect(report.problems).toMatchObject([
    { kind: 'comments', name: 'Elsewhere', reason: 'Below “Tide”, a video of somebody else', address: null },
    { kind: 'clips', name: 'Melt', reason: 'Below “Tide”, a video of somebody else' },
    { kind: 'clips', name: 'Melt', reason: 'Below “Tide”, a video of somebody else' },
  ])
  const after = await exportAccount(site, fresh)
  await expectEqual([archive, member], [after, fresh])

  const counts = await site.db
    .selectFrom('users')
    .select(['subscribedToCount'])
    .where('id', '=', fresh.user._id)
    .executeTakeFirstOrThrow()
  expect(counts.subscribedToCount).toBe(1)
  const own = await site.db
    .selectFrom('videos')
    .select(['id', 'likesCount'])
    .where('ownerId', '=', fresh.user._id)
    .where('title', '=', 'Glacier')
    .executeTakeFirstOrThrow()
  expect(own.likesCount).toBe(1)
  const { items } = await fresh.client.call(listComments, { params: { videoId: own.id } })
  expect(items).toMatchObject([{ content: 'Slow waves at 0:01', likes: 1, replies: 1 }])

  expect(importedKinds((await importInto(site, fresh, archive)).report)).toEqual([])
  await expectEqual([after, fresh], [await exportAccount(site, fresh), fresh])
  expect(importedKinds((await importInto(site, member, archive)).report)).toEqual([])
})

test(
  'another site exports again what it does not have, and the first site recognizes it',
  { tags: ['nightly'] },
  async () => {
    const member = await signUpWithCover()
    await fill(member)
    // so that each row has a file of its own
    const archive = await exportAccount(site, member, { listFileMaxBytes: 1 })
    for (const list of ['playlists', 'comments', 'video-likes', 'comment-likes', 'history'])
      expect([...(await unzip(archive)).keys()]).toContain(`${list}-2.json`)
    const mover = await signUp(elsewhere)
    const { state, report } = await importInto(elsewhere, mover, archive)
    expect(state).toBe('done')
    expect(report.problems.map(({ kind, name }) => `${kind}: ${name}`).toSorted()).toMatchObject([
      'clips: Tide',
      'clips: Tide',
      'comments: Tide',
      'dismissed channels: ' + (await subscribedChannel(archive)),
      'dismissed videos: Dull',
      'history: Tide',
      'likes of comments: Tide',
      'likes of videos: Tide',
      expect.stringMatching(/^muted people: /),
      'playlist entries: Tide',
      'playlist entries: Tide',
      'subscriptions: ' + (await subscribedChannel(archive)),
    ])
    const moved = await exportAccount(elsewhere, mover, { listFileMaxBytes: 400 })
    await expectEqual([archive, member], [moved, mover])
    expect(importedKinds((await importInto(elsewhere, mover, archive)).report)).toEqual([])
    await expectEqual([moved, mover], [await exportAccount(elsewhere, mover), mover])

    const returned = await signUp(site)
    const back = await importInto(site, returned, moved)
    expect(back.report.problems.map(({ kind }) => kind)).toEqual(['comments', 'clips', 'clips'])
    await expectEqual([archive, member], [await exportAccount(site, returned), returned])

    await mover.client.delete('/api/v1/users/history')
    const history = (await unzip(await exportAccount(elsewhere, mover))).get('history.json')
    expect(JSON.parse(String(history))).toEqual([])
    await expectDeletedWithTheirLists(mover)
  },
)

/** Deletes a playlist, a group and a video of which references are kept. */
async function expectDeletedWithTheirLists({ client, user }: Person): Promise<void> {
  const kept = elsewhere.db.selectFrom('importedReferences').select('list').where('userId', '=', user._id)
  const lists = async () => new Set((await kept.where('list', '<>', '').execute()).map(({ list }) => list))
  const playlists = await client.call(listOwnPlaylists, {})
  const playlistId = playlists.find(({ title }) => title === 'Water')?._id ?? ''
  const groupId = (await client.call(listChannelGroups, {}))[0]?._id ?? ''
  const { id } = await elsewhere.db
    .selectFrom('videos')
    .select('id')
    .where('ownerId', '=', user._id)
    .where('title', '=', 'Firn')
    .executeTakeFirstOrThrow()
  const watchLater = playlists.find(({ isWatchLater }) => isWatchLater)?._id ?? ''
  expect(await lists()).toEqual(new Set([playlistId, groupId, id, watchLater]))
  await client.call(deletePlaylist, { params: { playlistId } })
  await client.call(deleteChannelGroup, { params: { groupId } })
  await client.call(deleteVideo, { params: { id } })
  expect(await lists()).toEqual(new Set([watchLater]))
}

/** An account with a video that is cut. */
async function cutter() {
  const member = await signUp(site)
  const { _id: id } = await upload(member.client, 'Tide', await drawClip('mp4'))
  const keep = [{ startSeconds: 0.5, endSeconds: 1.8 }]
  expect(await versionOf(await exportAccount(site, member))).toBe(2)
  return { member, id, keep }
}

test('a cut video is cut where it is imported', async () => {
  const { member, id, keep } = await cutter()
  await member.client.call(putPosition, { params: { videoId: id }, body: { positionSeconds: 1 } })
  const cut = await member.client.call(putCut, { params: { id }, body: { keep } })
  const archive = await exportAccount(site, member)
  expect(await versionOf(archive)).toBe(4)
  const history = JSON.parse(String((await unzip(archive)).get('history.json')))
  expect(history[0].positionSeconds).toBeCloseTo(0.5, 1)

  const mover = await signUp(elsewhere)
  expect((await importInto(elsewhere, mover, archive)).report.problems).toEqual([])
  const copy = await copyOf(mover)
  const { keep: shown, durationSeconds, publishedAt } = cut
  expect(await mover.client.call(getCut, { params: { id: copy.id } })).toMatchObject({
    keep: shown,
    durationSeconds,
    publishedAt,
  })
  expect(copy).toMatchObject({ visibility: 'public', durationSeconds: cut.durationSeconds })
  const source = `/media/videos/${copy.id}/source.mp4`
  expect((await elsewhere.client().get(source)).status).toBe(404)
  const stream = `/media/videos/${copy.id}/uncut/master.m3u8`
  expect([(await elsewhere.client().get(stream)).status, (await mover.client.get(stream)).status]).toEqual([
    404, 200,
  ])
})

test('nobody else sees an imported video whose ranges do not fit its file', async () => {
  const { member, id, keep } = await cutter()
  await member.client.call(putCut, { params: { id }, body: { keep } })
  const files = Object.fromEntries(await unzip(await exportAccount(site, member)))
  const name = Object.keys(files).find((each) => each.endsWith('video.json')) ?? ''
  const video = JSON.parse(String(files[name]))
  video.cut.keep[0].endSeconds = 1000
  const mover = await signUp(elsewhere)
  const archive = deflatedZip({ ...files, [name]: JSON.stringify(video) })
  const { report } = await importInto(elsewhere, mover, archive)
  expect(report.problems).toMatchObject([{ kind: 'videos', name: 'Tide' }])
  expect(await copyOf(mover)).toMatchObject({ visibility: 'private' })
})

const copyOf = ({ user }: Person) =>
  elsewhere.db
    .selectFrom('videos')
    .select(['id', 'visibility', 'durationSeconds'])
    .where('ownerId', '=', user._id)
    .executeTakeFirstOrThrow()

async function versionOf(archive: Buffer): Promise<unknown> {
  return JSON.parse(String((await unzip(archive)).get('account.json'))).version
}

async function subscribedChannel(archive: Buffer): Promise<string> {
  const rows = JSON.parse(String((await unzip(archive)).get('subscriptions.json')))
  return rows[0].preferredUsername
}

test('replies are in the files after those of their threads', async () => {
  const member = await signUp(site)
  const { client, user } = member
  const videoId = await addVideo(site, user._id, { title: 'Tide' })
  for (let count = 0; count < 8; count += 1) {
    const { _id: commentId } = await client.call(addComment, { body: { videoId, content: 'Ebb' } })
    await client.call(addReply, { params: { commentId }, body: { content: 'Flow' } })
  }
  const files = await unzip(await exportAccount(site, member, { listFileMaxBytes: 1 }))
  const comments = Array.from({ length: 16 }, (_, index) =>
    JSON.parse(String(files.get(`comments${index === 0 ? '' : `-${index + 1}`}.json`))),
  )
  expect(comments.map(([{ content }]) => content)).toEqual([
    ...Array.from({ length: 8 }, () => 'Ebb'),
    ...Array.from({ length: 8 }, () => 'Flow'),
  ])
})

test('puts a channel into its group that has another name by now', async () => {
  const [person, other, newcomer] = [await signUp(site), await signUp(site), await signUp(site)]
  const { _id: channelId, username } = other.user
  await person.client.call(toggleSubscription, { params: { username } })
  await person.client.call(createChannelGroup, { body: { name: 'Seas', usernames: [username] } })
  const archive = await exportAccount(site, person)
  const renamed = `${username}-renamed`
  await site.db.updateTable('users').set({ username: renamed }).where('id', '=', channelId).execute()
  expect((await importInto(site, newcomer, archive)).state).toBe('done')
  expect(await newcomer.client.call(listChannelGroups, {})).toMatchObject([
    { name: 'Seas', usernames: [renamed] },
  ])
})

test('names the reason for an archive of a newer version', async () => {
  const person = await signUp(site)
  const files = await unzip(await exportAccount(site, person))
  const account = { ...JSON.parse(String(files.get('account.json'))), version: 5 }
  const archive = await zipOf({ ...Object.fromEntries(files), 'account.json': account })
  expect(await importInto(site, person, archive)).toMatchObject({
    state: 'failed',
    failure: 'The archive is from a newer version of Kinora. This site has to be upgraded first.',
  })
})

test('reads version 1 of the archive', async () => {
  const person = await signUp(elsewhere)
  const when = '2024-01-02T03:04:05.000Z'
  const [id, username] = ['former-id', 'ines']
  const video = { id: 'v1', title: 'Ice', channel: username }
  const far = { id: 'v2', title: 'Far', channel: 'nobody' }
  const archive = await zipOf({
    'account.json': {
      format: 'kinora-account',
      version: 1,
      exportedAt: when,
      id,
      username,
      fullname: 'Ines',
      email: 'ines@example.org',
      createdAt: when,
      about: 'About ice',
      links: [],
      pinnedVideo: 'v1',
      avatar: null,
      cover: null,
      channelGroups: [{ name: 'Seas', createdAt: when, channels: [{ id: 'c', username: 'carl' }] }],
    },
    'videos/v1/video.json': {
      id: 'v1',
      title: 'Ice',
      description: 'Cold',
      visibility: 'public',
      publishAt: null,
      viewers: [],
      createdAt: when,
      tags: [],
      category: null,
      language: null,
      licence: null,
      commentsAllowed: true,
      commentsHeld: false,
      downloadsAllowed: false,
      file: 'videos/v1/video.mp4',
      thumbnail: null,
      captions: [],
    },
    'videos/v1/video.mp4': await drawClip('mp4'),
    'playlists.json': [
      {
        id: 'p1',
        isWatchLater: false,
        title: 'Cold',
        description: '',
        visibility: 'public',
        createdAt: when,
        updatedAt: when,
        videos: [far, video].map((each) => ({
          ...each,
          addedAt: when,
        })),
      },
    ],
    'comments.json': [
      {
        id: newId(),
        video,
        inReplyTo: null,
        content: 'Brr at 0:01 and 0:02',
        createdAt: when,
        editedAt: when,
        timeDates: { 1: when, 2: '9999-01-01T00:00:00.000Z', 3: when },
        isPinned: false,
        isHearted: false,
      },
    ],
    'subscriptions.json': [{ channelId: 'c', channel: 'carl', fullname: 'Carl', createdAt: when }],
  })
  const { state, report } = await importInto(elsewhere, person, archive)
  expect(state).toBe('done')
  expect(report.problems.map(({ kind, name }) => [kind, name])).toEqual([
    ['playlist entries', 'Far'],
    ['subscriptions', 'carl'],
  ])
  const files = await jsonOf(await exportAccount(elsewhere, person))
  expect(files['account.json']).toMatchObject([
    {
      version: 2,
      summary: 'About ice',
      channelGroups: [{ channels: [{ id: 'c', preferredUsername: 'carl' }] }],
    },
  ])
  expect(files['videos/<id>/video.json']).toMatchObject([{ name: 'Ice', summary: 'Cold', published: when }])
  expect(files['playlists.json']?.[0]).toContainEqual(
    expect.objectContaining({
      name: 'Cold',
      orderedItems: [
        { id: 'v2', name: 'Far', attributedTo: 'nobody', addedAt: when },
        expect.objectContaining({ name: 'Ice' }),
      ],
    }),
  )
  expect(files['comments.json']).toMatchObject([
    [{ content: 'Brr at 0:01 and 0:02', published: when, updated: when, timeDates: { 1: when } }],
  ])
  expect(files['subscriptions.json']).toEqual([
    [{ id: 'c', preferredUsername: 'carl', name: 'Carl', published: when }],
  ])
})
