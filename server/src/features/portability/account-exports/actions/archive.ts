import {
  type ArchivedAccount,
  type ArchivedSettings,
  type ArchivedVideo,
  archiveVersion,
  cutArchiveVersion,
  listFileName,
  splitArchiveVersion,
} from '@kinora/contract/portability/account-archive.ts'
import { makeZip } from 'client-zip'
import { addAbortSignal, Readable } from 'node:stream'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { getWatchedWords } from '../../../conversation/comments/queries/moderation.ts'
import { getIntros } from '../../../videos/intros/queries.ts'
import { getChannelPolicy as getChannelClips } from '../../../watching/clips/queries/policies.ts'
import { isHistoryPaused } from '../../../watching/history/queries.ts'
import { areSubscriptionsPrivate } from '../../../watching/subscriptions/queries.ts'
import { getChoice } from '../../../messages/notification-mails/queries.ts'
import { listKinds } from '../../../messages/notifications/queries/chosen-kinds.ts'
import { getChannelPolicy } from '../../../videos/embeds/queries.ts'
import { picturePrefix } from '../../../pictures/rules.ts'
import {
  archivedLists,
  getAccountContents,
  hasCutVideos,
  missingOf,
  type ReadPage,
  readVideos,
} from '../queries/contents.ts'
import { archiveSchema, extensions, listFileMaxBytes, widestPicture } from '../rules.ts'

interface Entry {
  name: string
  input: string | AsyncIterable<Uint8Array | string>
}

type ArchiveContext = Pick<Context, 'db' | 'storage' | 'clock'>

interface Reading {
  userId: string
  /** Called after each part of a video file; the archive waits for it. */
  onBytes: (bytes: number) => Promise<void>
  /** Default: `listFileMaxBytes`. */
  listFileMaxBytes?: number
}

const missingPerPage = 1000

/** One at a time: the captions of a video may have 100 MiB. */
const videosPerPage = 1

/**
 * Returns an account as a zip, which is made while it is read. Files of videos that are deleted meanwhile are left out
 * together with their video.
 */
export function archiveOf(context: ArchiveContext, reading: Reading, signal: AbortSignal): Readable {
  const zip: AsyncIterable<Uint8Array> = makeZip(entriesOf(context, reading))
  return addAbortSignal(signal, Readable.from(zip, { objectMode: false }))
}

async function* entriesOf(context: ArchiveContext, reading: Reading): AsyncGenerator<Entry> {
  const { userId } = reading
  yield { name: 'schema.json', input: toJson(archiveSchema()) }
  const { icon: avatar, image: cover, ...account } = await getAccountContents(context.db, userId)
  const pictures: Record<'icon' | 'image', string | null> = { icon: null, image: null }
  for (const [kind, id, name] of [
    ['icon', avatar, 'avatar.webp'],
    ['image', cover, 'cover.webp'],
  ] as const) {
    const picture = id === null ? undefined : await findPicture(context, id, name)
    if (!picture) continue
    pictures[kind] = picture.name
    yield picture
  }
  const exportedAt = context.clock.now().toISOString()
  yield { name: 'settings.json', input: toJson(await settingsOf(context.db, userId)) }
  let version: ArchivedAccount['version'] = archiveVersion
  for (const { file, reads, limit } of archivedLists) {
    const rows = concat(
      ...reads.map((read) => eachRow(context, userId, read, limit)),
      eachRow(context, userId, missingOf(file), missingPerPage),
    )
    const files = yield* filesOfList(file, rows, reading.listFileMaxBytes ?? listFileMaxBytes)
    if (files > 1) version = splitArchiveVersion
  }
  if (await hasCutVideos(context.db, userId)) version = cutArchiveVersion
  yield {
    name: 'account.json',
    input: toJson({
      format: 'kinora-account',
      version,
      exportedAt,
      ...account,
      ...pictures,
    } satisfies ArchivedAccount),
  }
  for await (const video of eachRow(context, userId, readVideos, videosPerPage))
    yield* entriesOfVideo(context, reading, video)
}

async function settingsOf(db: Db, userId: string): Promise<ArchivedSettings> {
  const { introId, outroId } = await getIntros(db, userId)
  return {
    isHistoryPaused: await isHistoryPaused(db, userId),
    subscriptionsVisibleTo: (await areSubscriptionsPrivate(db, userId)) ? 'self' : 'members',
    ...(await getWatchedWords(db, userId)),
    mutedNotifications: await listKinds(db, 'mutedNotifications', userId),
    notificationMails: await getChoice(db, userId),
    embeds: await getChannelPolicy(db, userId),
    clips: await getChannelClips(db, userId),
    introVideo: introId,
    outroVideo: outroId,
  }
}

type VideoContents = Awaited<ReturnType<typeof readVideos>>[number]['row']

async function* entriesOfVideo(
  context: ArchiveContext,
  { onBytes }: Reading,
  { sourceKey, container, thumbnail, captions, ...video }: VideoContents,
): AsyncGenerator<Entry> {
  const folder = `videos/${video.id}`
  const source = await context.storage.get(sourceKey)
  if (!source) return
  const file = `${folder}/video.${extensions[container]}`
  yield { name: file, input: counted(source.body, onBytes) }
  const still = await findPicture(context, thumbnail, `${folder}/thumbnail.webp`)
  if (still) yield still
  const tracks: ArchivedVideo['captions'] = []
  for (const [index, { content, ...track }] of captions.entries()) {
    const name = `${folder}/captions-${index + 1}.vtt`
    tracks.push({ ...track, file: name })
    yield { name, input: content }
  }
  yield {
    name: `${folder}/video.json`,
    input: toJson({
      ...video,
      file,
      image: still?.name ?? null,
      captions: tracks,
    } satisfies ArchivedVideo),
  }
}

async function findPicture(
  { storage }: ArchiveContext,
  id: string,
  name: string,
): Promise<Entry | undefined> {
  const keys: string[] = []
  for await (const { key } of storage.list(picturePrefix(id))) keys.push(key)
  const widest = widestPicture(keys)
  const picture = widest === undefined ? undefined : await storage.get(widest)
  return picture && { name, input: picture.body }
}

async function* eachRow<Row>(
  { db }: ArchiveContext,
  userId: string,
  read: ReadPage<Row>,
  limit: number,
): AsyncGenerator<Row> {
  let after = ''
  for (;;) {
    const page = await read(db, userId, after, limit)
    for (const { row } of page) yield row
    const last = page.at(-1)
    if (!last || page.length < limit) return
    after = last.key
  }
}

async function* concat<Row>(...lists: AsyncIterable<Row>[]): AsyncGenerator<Row> {
  for (const rows of lists) yield* rows
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/**
 * The files of a list, with at most `maxBytes` of rows or a single longer one. The input of each ends before the next file
 * begins. Returns how many they are.
 */
async function* filesOfList(
  file: string,
  rows: AsyncGenerator,
  maxBytes: number,
): AsyncGenerator<Entry, number> {
  let next = await rows.next()
  const toJsonArray = async function* (): AsyncGenerator<string> {
    let separator = '[\n'
    for (let bytes = 0; !next.done; next = await rows.next()) {
      const row = JSON.stringify(next.value)
      bytes += Buffer.byteLength(row)
      if (bytes > maxBytes && separator === ',\n') break
      yield separator + row
      separator = ',\n'
    }
    yield separator === '[\n' ? '[]\n' : '\n]\n'
  }
  let number = 0
  do {
    number += 1
    yield { name: listFileName(file, number), input: toJsonArray() }
  } while (!next.done)
  return number
}

async function* counted(
  body: Readable,
  onBytes: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body as AsyncIterable<Buffer>) {
    yield chunk
    await onBytes(chunk.length)
  }
}
