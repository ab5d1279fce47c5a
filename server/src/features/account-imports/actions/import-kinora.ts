import {
  ArchivedAccount,
  ArchivedComment,
  ArchivedCommentLike,
  ArchivedDismissedChannel,
  ArchivedDismissedVideo,
  ArchivedHistoryEntry,
  ArchivedMutedPerson,
  ArchivedPlaylist,
  ArchivedSettings,
  ArchivedSubscription,
  ArchivedVideo,
  ArchivedVideoLike,
  listFileName,
  splitArchiveVersion,
} from '@kinora/contract/account-archive.ts'
import { channelGroupsPerAccount, watchedWordsMaxCharacters } from '@kinora/contract/constants.ts'
import { putChannelProfile } from '@kinora/contract/channels.ts'
import { maxViewers } from '@kinora/contract/studio.ts'
import { isLanguage } from '@kinora/contract/languages.ts'
import { z } from 'zod'
import type { Db } from '../../../database.ts'
import type { ZipFile } from '../../../platform/files/zip-file.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseInput } from '../../../platform/http/routing/parse-input.ts'
import { newId } from '../../../platform/ids.ts'
import { putProfile } from '../../channels/queries.ts'
import { addLikes, lockComments } from '../../comments/queries/likes.ts'
import { getWatchedWords, putWatchedWords } from '../../comments/queries/moderation.ts'
import { isHistoryPaused, putHistoryPaused } from '../../history/queries.ts'
import type { MissingReference } from '../../imported-references/rules.ts'
import { restoreCommentLikes } from '../../likes/queries.ts'
import { restoreMutedPeople } from '../../mutes/queries.ts'
import { getChoice, putChoice } from '../../notification-mails/queries.ts'
import { listMuted, replaceMuted } from '../../notifications/queries/muted-kinds.ts'
import { restoreDismissals } from '../../recommendations/queries.ts'
import { subscribeAgain } from '../../subscriptions/actions.ts'
import {
  addGroupMembers,
  insertGroup,
  listGroups,
  putSubscriptionsPrivate,
} from '../../subscriptions/queries.ts'
import { replacePicture } from '../../users/actions/change-pictures.ts'
import { updateLanguage } from '../../users/queries.ts'
import {
  findItem,
  getChannel,
  listKnownPeople,
  listOwnVideos,
  putItem,
  resolveComments,
  resolveVideos,
} from '../queries.ts'
import { inBatches, storable, truncate, upgraded } from '../rules.ts'
import { importVideoLikes, importHistory } from './import-activity.ts'
import { importComments } from './import-comments.ts'
import type { ImportRun } from './import-run.ts'
import { importPlaylist } from './import-playlist.ts'
import { importVideo, isRefusal, withPicture } from './import-video.ts'
import { flatMapInSlices, readJson, readJsonRows } from './read-text.ts'
import { chunkSize, resolveItems, updateKeptReferences } from './resolve-items.ts'

/** Whether an archive was exported by Kinora. */
export const isKinoraArchive = (zip: ZipFile) => zip.sizeOf('account.json') !== undefined

/**
 * Imports the archive of an account. Videos of the account come first, so that its lists can refer to them. Everything else
 * refers to videos and channels by their ids: they are the same ones only on the site that the archive is from.
 *
 * Throws `invalid` for a newer version, or an archive whose account cannot be read.
 */
export async function importKinora(run: ImportRun, zip: ZipFile): Promise<void> {
  const { version } = await readArchived(zip, 'account.json', z.object({ version: z.number() }))
  if (version > splitArchiveVersion) throw new AppError('invalid', newerVersion)
  const account = await readArchived(zip, 'account.json', ArchivedAccount)
  await importVideos(run, zip)
  await importPlaylists(run, zip)
  const kept = { keepsUnresolved: true }
  await eachFile(zip, ['comments', 'comments.json'], (list, step) =>
    importComments(run, () => readList(run, zip, list, ArchivedComment), { ...kept, step }),
  )
  await eachFile(zip, ['likes of videos', 'video-likes.json'], (list, step) =>
    importVideoLikes(run, () => readList(run, zip, list, ArchivedVideoLike), { ...kept, step }),
  )
  await eachFile(zip, ['likes of comments', 'comment-likes.json'], (list, step) =>
    importCommentLikes(run, zip, list, step),
  )
  await eachFile(zip, ['history', 'history.json'], (list, step) =>
    importHistory(run, () => readList(run, zip, list, ArchivedHistoryEntry), { ...kept, step }),
  )
  await importSubscriptions(run, zip, account)
  await importDismissals(run, zip)
  await importMutes(run, zip)
  await importSettings(run, zip, account)
  await importProfile(run, zip, account)
}

const newerVersion = 'The archive is from a newer version of Kinora. This site has to be upgraded first.'

/** A JSON file of an archive of any version. */
const readArchived = <Schema extends z.ZodType>(zip: ZipFile, name: string, schema: Schema) =>
  readJson(zip, name, schema, upgraded)

type List = readonly [kind: string, file: string]

/** Calls `work` for each file of a list, with the name of its step, so that only one is in memory. */
async function eachFile(
  zip: ZipFile,
  [kind, file]: List,
  work: (list: List, step: string) => Promise<void>,
): Promise<void> {
  for (let number = 1; number === 1 || zip.sizeOf(listFileName(file, number)) !== undefined; number += 1)
    await work([kind, listFileName(file, number)], number === 1 ? kind : `${kind}/${number}`)
}

/** The rows of a file of a list. Rows that do not follow the schema are skipped. A missing file is an empty list. */
async function readList<Schema extends z.ZodType>(
  { report }: Pick<ImportRun, 'report'>,
  zip: ZipFile,
  [kind, name]: List,
  schema: Schema,
): Promise<z.output<Schema>[]> {
  if (zip.sizeOf(name) === undefined) return []
  try {
    const rows = await readJsonRows(zip, name)
    return await flatMapInSlices(rows, (row, index) => {
      const parsed = schema.safeParse(upgraded(row))
      if (!parsed.success) report.skip(kind, `${name}, entry ${index + 1}`, 'Does not follow the schema')
      return parsed.success ? [parsed.data] : []
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.note(kind, name, error.message)
    return []
  }
}

async function importVideos(run: ImportRun, zip: ZipFile): Promise<void> {
  const names = zip.names.filter((name) => /^videos\/[^/]+\/video\.json$/.test(name))
  const sizes = names.map((name) => folderBytes(zip, name))
  const totalBytes = sizes.reduce((sum, bytes) => sum + bytes, 0)
  let doneBytes = 0
  for (const [index, name] of names.entries()) {
    doneBytes += sizes[index] ?? 0
    run.progress = totalBytes === 0 ? 0 : (0.95 * doneBytes) / totalBytes
    let archived
    try {
      archived = await readArchived(zip, name, ArchivedVideo)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const { message } = error
      await run.step(name, async () => run.report.skip('videos', name, message))
      continue
    }
    const { id, name: title, summary, viewers, publishAt, published, image, ...video } = archived
    const known = await findPeople(
      run.context.db,
      viewers.map((viewer) => viewer.id),
    )
    await importVideo(run, zip, {
      ...video,
      title,
      description: summary,
      thumbnail: image,
      origin: id,
      publishAt: video.visibility === 'scheduled' && publishAt !== null ? new Date(publishAt) : null,
      // a scheduled video has a time
      visibility: video.visibility === 'scheduled' && publishAt === null ? 'private' : video.visibility,
      createdAt: new Date(published),
      metadata: video,
      viewerIds: [...known].slice(0, maxViewers),
      missingViewers: referencesToUnknown(viewers, known),
    })
  }
}

/** Sizes of the files next to a `video.json`. */
function folderBytes(zip: ZipFile, name: string): number {
  const folder = name.slice(0, -'video.json'.length)
  return ['mp4', 'webm', 'ogv'].reduce(
    (sum, ending) => sum + (zip.sizeOf(`${folder}video.${ending}`) ?? 0),
    0,
  )
}

async function importPlaylists(run: ImportRun, zip: ZipFile): Promise<void> {
  await eachFile(zip, ['playlists', 'playlists.json'], async (list) => {
    const playlists = await run.read(list[1], (report) => readList({ report }, zip, list, ArchivedPlaylist))
    for (const playlist of playlists) {
      const { id: origin, name: title, summary, orderedItems, published, updated, ...state } = playlist
      await importPlaylist(run, {
        ...state,
        origin,
        title,
        description: summary,
        entries: orderedItems,
        keepsUnresolved: true,
        createdAt: new Date(published),
        updatedAt: new Date(updated),
      })
    }
  })
}

async function importCommentLikes(run: ImportRun, zip: ZipFile, list: List, step: string): Promise<void> {
  const { report, userId } = run
  await run.step(step, async (transaction) => {
    const [kind] = list
    const archived = await readList(run, zip, list, ArchivedCommentLike)
    const ids = await resolveComments(
      transaction,
      userId,
      archived.map(({ comment }) => comment),
    )
    const likes = archived.flatMap(({ comment, video, published: createdAt }) => {
      const commentId = ids.get(comment)?.id
      if (commentId === undefined)
        report.skip(kind, video.name ?? video.id, 'The comment is not on this site')
      return commentId === undefined ? [] : [{ commentId, createdAt }]
    })
    await updateKeptReferences(
      run,
      transaction,
      { kind, file: 'comment-likes.json' },
      {
        resolvedKeys: [...ids.keys()],
        missing: archived.flatMap((like) =>
          ids.has(like.comment) ? [] : [{ key: like.comment, content: like }],
        ),
      },
    )
    const locked = new Set(
      await lockComments(
        transaction,
        likes.map(({ commentId }) => commentId),
      ),
    )
    const added = await restoreCommentLikes(
      transaction,
      userId,
      likes.filter(({ commentId }) => locked.has(commentId)),
    )
    await addLikes(transaction, added)
    report.count(kind, 'imported', added.length)
    report.count(kind, 'present', likes.length - added.length)
  })
}

async function importSubscriptions(run: ImportRun, zip: ZipFile, account: ArchivedAccount): Promise<void> {
  const { report, userId } = run
  await importPeople(run, zip, ['subscriptions', 'subscriptions.json'], {
    schema: ArchivedSubscription,
    restore: (db, channels) =>
      subscribeAgain(
        db,
        userId,
        channels.map(({ id, published }) => ({ channelId: id, createdAt: published })),
      ),
    reason: 'The channel is not on this site',
  })
  const kindOfGroups = 'groups of channels'
  await run.step(kindOfGroups, async (transaction) => {
    const names = new Set((await listGroups(transaction, userId)).map(({ name }) => name))
    for (const { name, channels } of account.channelGroups) {
      if (names.has(name)) {
        report.count(kindOfGroups, 'present')
        continue
      }
      names.add(name)
      const people = await findPeople(
        transaction,
        channels.map(({ id }) => id),
      )
      const group = {
        id: newId(),
        ownerId: userId,
        name: storable(truncate(name, run.context.config.nameMaxCharacters)),
      }
      if (!(await insertGroup(transaction, group, channelGroupsPerAccount))) {
        report.skip(kindOfGroups, name, `An account has at most ${channelGroupsPerAccount} groups`)
        continue
      }
      await updateKeptReferences(
        run,
        transaction,
        { kind: kindOfGroups, file: 'account.json', list: group.id },
        {
          resolvedKeys: [...people],
          missing: referencesToUnknown(channels, people),
        },
      )
      await addGroupMembers(transaction, group.id, [...people])
      report.count(kindOfGroups, 'imported')
    }
  })
}

/** Those of the ids that accounts of this site have. */
async function findPeople(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const chunk of inBatches(ids, chunkSize))
    for (const id of await listKnownPeople(db, chunk)) known.add(id)
  return known
}

async function importDismissals(run: ImportRun, zip: ZipFile): Promise<void> {
  const { report, userId } = run
  await eachFile(zip, ['dismissed videos', 'dismissed-videos.json'], (list, step) =>
    run.step(step, async (transaction) => {
      const [kind] = list
      const archived = await readList(run, zip, list, ArchivedDismissedVideo)
      const found = await resolveItems(run, transaction, archived, {
        kind,
        keptIn: { file: 'dismissed-videos.json' },
        videoOf: ({ video }) => video,
      })
      const rows = found.map(({ videoId: id, dismissedAt }) => ({ id, dismissedAt }))
      const added = await restoreDismissals(transaction, userId, 'videos', rows)
      report.count(kind, 'imported', added)
      report.count(kind, 'present', rows.length - added)
    }),
  )
  await importPeople(run, zip, ['dismissed channels', 'dismissed-channels.json'], {
    schema: ArchivedDismissedChannel,
    restore: (db, channels) => restoreDismissals(db, userId, 'channels', channels),
  })
}

async function importMutes(run: ImportRun, zip: ZipFile): Promise<void> {
  await importPeople(run, zip, ['muted people', 'muted-people.json'], {
    schema: ArchivedMutedPerson,
    restore: (db, people) => restoreMutedPeople(db, run.userId, people),
  })
}

interface Person {
  id: string
  preferredUsername: string
}

/** Imports a list of people. `restore` adds those who are on this site, and returns how many it added. */
async function importPeople<Item extends Person>(
  run: ImportRun,
  zip: ZipFile,
  list: List,
  options: {
    schema: z.ZodType<Item>
    restore: (db: Db, people: Item[]) => Promise<number>
    reason?: string
  },
): Promise<void> {
  const { schema, restore, reason = 'This person is not on this site' } = options
  const [kind, file] = list
  await eachFile(zip, list, (part, step) =>
    run.step(step, async (transaction) => {
      const archived = await readList(run, zip, part, schema)
      const here = await resolvePeople(run, transaction, archived, { kind, file, reason })
      const added = await restore(transaction, here)
      run.report.count(kind, 'imported', added)
      run.report.count(kind, 'present', here.length - added)
    }),
  )
}

/** Those of the people of a list who are on this site; reports and keeps the others. */
async function resolvePeople<Item extends Person>(
  run: ImportRun,
  db: Db,
  people: readonly Item[],
  { kind, file, reason }: { kind: string; file: string; reason: string },
): Promise<Item[]> {
  const known = await findPeople(
    db,
    people.map(({ id }) => id),
  )
  for (const { id, preferredUsername } of people)
    if (!known.has(id)) run.report.skip(kind, preferredUsername, reason)
  await updateKeptReferences(
    run,
    db,
    { kind, file },
    { resolvedKeys: [...known], missing: referencesToUnknown(people, known) },
  )
  return people.filter(({ id }) => known.has(id))
}

/** References to those of the people who are not among the known ones. */
const referencesToUnknown = (people: readonly Person[], known: ReadonlySet<string>): MissingReference[] =>
  people.flatMap((person) => (known.has(person.id) ? [] : [{ key: person.id, content: person }]))

/** Adds settings to those of the account, once: what it has chosen here stays. */
async function importSettings(run: ImportRun, zip: ZipFile, account: ArchivedAccount): Promise<void> {
  const { report, userId } = run
  const kind = 'settings'
  if (zip.sizeOf('settings.json') === undefined) return
  await run.step(kind, async (transaction) => {
    const item = { userId, kind: 'settings', origin: account.id }
    if (account.id === userId || (await findItem(transaction, item))) return report.count(kind, 'present')
    let archived
    try {
      archived = await readArchived(zip, 'settings.json', ArchivedSettings)
    } catch (error) {
      if (!isRefusal(error)) throw error
      return report.skip(kind, 'settings.json', error.message)
    }
    const { isHistoryPaused: isPaused, watchedWords, watchedWordsAction, mutedNotifications } = archived
    if (isPaused && !(await isHistoryPaused(transaction, userId)))
      await putHistoryPaused(transaction, userId, true)
    if (archived.subscriptionsVisibleTo === 'self') await putSubscriptionsPrivate(transaction, userId, true)
    if (watchedWords !== '' && (await getWatchedWords(transaction, userId)).watchedWords === '')
      await putWatchedWords(transaction, userId, {
        watchedWords: storable(truncate(watchedWords, watchedWordsMaxCharacters)),
        watchedWordsAction,
      })
    const muted = await listMuted(transaction, userId)
    await replaceMuted(transaction, userId, [...new Set([...muted, ...mutedNotifications])])
    const mails = await getChoice(transaction, userId)
    if (mails.frequency === 'off' && mails.kinds.length === 0)
      await putChoice(transaction, userId, archived.notificationMails)
    await putItem(transaction, { ...item, itemId: userId, isComplete: true })
    report.count(kind, 'imported')
  })
}

/** Fills what the channel does not have yet. The profile picture, which every account has, is replaced by the first import. */
async function importProfile(run: ImportRun, zip: ZipFile, account: ArchivedAccount): Promise<void> {
  const { context, report, userId, signal } = run
  const kind = 'profile'
  if (run.isDone(kind)) return
  const { db, config } = context
  const item = { userId, kind, origin: account.id }
  const isNew = account.id !== userId && (await findItem(db, item)) === undefined
  const channel = await getChannel(db, userId)
  const pictures = { ...context, sender: { address: '', account: userId }, signal }
  for (const [name, column, isWanted] of [
    [account.icon, 'avatar', isNew],
    [account.image, 'coverImage', channel.coverImage === null],
  ] as const) {
    if (name === null || !isWanted) continue
    const replaced = await withPicture(context, zip, name, async (file) => {
      await replacePicture(pictures, userId, column, file)
      return true
    })
    if (replaced) report.count('pictures', 'imported')
    else report.skip('pictures', name, 'The picture is missing, or cannot be read')
  }
  await run.step(kind, async (transaction) => {
    const { about, links, pinnedVideoId, language } = channel
    if (language === null && account.language && isLanguage(account.language))
      await updateLanguage(transaction, userId, account.language)
    const pinned = account.pinnedVideo === null ? [] : [account.pinnedVideo]
    const own = await resolveVideos(transaction, userId, pinned)
    const candidate = pinnedVideoId ?? own.get(account.pinnedVideo ?? '') ?? null
    const isOwn = candidate !== null && (await listOwnVideos(transaction, userId, [candidate])).has(candidate)
    const given = {
      about: about || truncate(account.summary, config.descriptionMaxCharacters),
      links: links.length > 0 ? links : account.links,
      pinnedVideoId: isOwn ? candidate : null,
    }
    try {
      await putProfile(transaction, userId, parseInput(putChannelProfile.body, given, config))
      report.count(kind, isNew ? 'imported' : 'present')
    } catch (error) {
      if (!isRefusal(error)) throw error
      report.skip(kind, account.preferredUsername, error.message)
    }
    await putItem(transaction, { ...item, itemId: userId, isComplete: true })
  })
}
