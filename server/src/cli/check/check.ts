import { stat } from 'node:fs/promises'
import type { Context } from '../../context/context.ts'
import type { Db } from '../../context/database.ts'
import type { Repository } from '../../features/operations/backups/actions/repository.ts'
import { deletePictureFiles } from '../../features/pictures/jobs.ts'
import { listShownPictures } from '../../features/pictures/queries.ts'
import { isSuspiciousSweep, pictureIdOf, picturePrefix } from '../../features/pictures/rules.ts'
import { assertStorageBound } from '../../features/operations/site/actions.ts'
import { findStorageId } from '../../features/operations/site/queries.ts'
import { deleteSourceLater } from '../../features/videos/uploads/actions/delete-source-later.ts'
import { reconcileHiddenMarks } from '../../features/videos/videos/actions/hide-video.ts'
import { forEachConcurrently } from '@kinora/platform/concurrency/for-each-concurrently.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { sha256Of } from '@kinora/platform/files/sha256.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import {
  counters,
  listKnownVideos,
  listLiveVideos,
  listMiscounts,
  listNeededSources,
  listUserPictures,
  listVideoFiles,
  recount,
} from './queries.ts'
import { clearPicture, redrawThumbnail, restoreFromBackup } from './repair.ts'
import { listOwn, type StoragePrefix, storagePrefixes } from '../../context/storage-keys.ts'

interface Problem {
  kind: 'missing' | 'wrong size' | 'damaged' | 'leftover' | 'counter'
  /** Key of the object or id of the row. */
  subject: string
  detail: string
  /** Describes the repair; undefined without one. */
  repaired: string | undefined
}

export interface CheckResult {
  videos: number
  accounts: number
  objects: number
  /** Files that were compared with the hashes of a backup. */
  hashed: number
  problems: number
  repaired: number
  /** The first problems; there may be more. */
  shown: Problem[]
}

export interface CheckOptions {
  repair: boolean
  /** Whether every file is read. */
  hashes: boolean
}

const pageSize = 500
const filesAtOnce = 4
const maxShown = 1000
/** Younger files without a row may belong to an upload that is being published. */
const graceMs = dayMs

/**
 * Compares rows, objects and counts while the site runs; with `hashes`, also every file with the hash in the newest
 * backup. Reads in pages. Throws StartupError if database and storage do not belong together.
 */
export async function check(
  context: Context,
  repository: Repository,
  { repair, hashes }: CheckOptions,
  progress: Progress,
): Promise<CheckResult> {
  const storageId = await findStorageId(context.db)
  if (storageId !== undefined) await assertStorageBound(context.storage, storageId)
  const result: CheckResult = {
    videos: 0,
    accounts: 0,
    objects: 0,
    hashed: 0,
    problems: 0,
    repaired: 0,
    shown: [],
  }
  const run: Run = {
    context,
    repository,
    repair,
    result,
    progress,
    async report(problem, fix) {
      const repaired = repair ? await fix().catch(failureOf) : undefined
      const isRepaired = typeof repaired === 'string'
      result.problems += 1
      if (isRepaired) result.repaired += 1
      if (result.shown.length >= maxShown) return
      const detail = repaired instanceof Error ? `${problem.detail} (${repaired.message})` : problem.detail
      result.shown.push({ ...problem, detail, repaired: isRepaired ? repaired : undefined })
    },
  }
  await checkVideos(run)
  await checkAccounts(run)
  await checkLeftovers(run)
  await checkCounters(run)
  if (hashes) await checkHashes(run)
  if (repair) await reconcileHiddenMarks(context)
  return result
}

interface Run {
  context: Context
  repository: Repository
  repair: boolean
  result: CheckResult
  progress: Progress
  /** Records a problem. With `--repair`, `fix` runs first and returns a description of the repair. */
  report(problem: Omit<Problem, 'repaired'>, fix: () => Promise<string | undefined>): Promise<void>
}

const failureOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

async function checkVideos({ context, repository, result, progress, report }: Run): Promise<void> {
  const { db, storage } = context
  for await (const page of pages((after) => listVideoFiles(db, after, pageSize))) {
    await forEachConcurrently(page, filesAtOnce, async (video) => {
      const { id, sourceKey, sizeBytes, thumbnail } = video
      const fromBackup = () =>
        restoreFromBackup({ storage, repository }, (key) => key === sourceKey).then((count) =>
          count > 0 ? 'copied from the backup' : undefined,
        )
      const found = await storage.head(sourceKey)
      if (!found) {
        if ((await listNeededSources(db, [sourceKey])).length > 0)
          await report(
            { kind: 'missing', subject: sourceKey, detail: `The source of video ${id} is missing.` },
            fromBackup,
          )
      } else if (found.sizeBytes !== sizeBytes)
        await report(
          {
            kind: 'wrong size',
            subject: sourceKey,
            detail: `The source of video ${id} has ${found.sizeBytes} bytes instead of ${sizeBytes}.`,
          },
          fromBackup,
        )
      await checkPicture({ context, repository, report }, thumbnail, `The thumbnail of video ${id}`, () =>
        redrawThumbnail(context, id, thumbnail),
      )
      result.videos += 1
      progress(`Checking videos: ${result.videos}`)
    })
  }
}

async function checkAccounts({ context, repository, result, progress, report }: Run): Promise<void> {
  for await (const page of pages((after) => listUserPictures(context.db, after, pageSize))) {
    await forEachConcurrently(page, filesAtOnce, async (user) => {
      const { avatar, coverImage, username } = user
      const run = { context, repository, report }
      await checkPicture(run, avatar, `The profile picture of ${username}`, () =>
        clearPicture(context, user, 'avatar'),
      )
      if (coverImage !== null)
        await checkPicture(run, coverImage, `The cover picture of ${username}`, () =>
          clearPicture(context, user, 'coverImage'),
        )
      result.accounts += 1
      progress(`Checking accounts: ${result.accounts}`)
    })
  }
}

/** Checks that each stored width of a picture is there as JPEG and as WebP. */
async function checkPicture(
  { context: { db, storage }, repository, report }: Pick<Run, 'context' | 'repository' | 'report'>,
  id: string,
  name: string,
  replace: () => Promise<string>,
): Promise<void> {
  const files = new Set<string>()
  for await (const { key, sizeBytes } of storage.list(picturePrefix(id))) if (sizeBytes > 0) files.add(key)
  const isWhole =
    files.size > 0 &&
    [...files].every((key) =>
      files.has(key.endsWith('.webp') ? withExtension(key, '.jpg') : withExtension(key, '.webp')),
    )
  if (isWhole || (await listShownPictures(db, [id])).length === 0) return
  await report(
    {
      kind: 'missing',
      subject: picturePrefix(id),
      detail: `${name} is ${files.size === 0 ? 'missing' : 'incomplete'}.`,
    },
    async () => {
      const copied = await restoreFromBackup({ storage, repository }, (key) =>
        key.startsWith(picturePrefix(id)),
      )
      return copied > 0 ? 'copied from the backup' : replace()
    },
  )
}

const withExtension = (key: string, extension: string) => key.replace(/\.\w+$/, extension)

/**
 * Checks for objects without a row. Jobs check again and delete them; in a bucket, which does not tell when an object was
 * written, after a day.
 */
async function checkLeftovers(run: Run): Promise<void> {
  const { context } = run
  const { db, jobs, storage } = context
  const isBucket = storage.pathOf('site-id') === undefined
  const delaySeconds = isBucket ? graceMs / 1000 : 0
  await checkPrefix(run, storagePrefixes.pictures, pictureIdOf, (ids) => listShownPictures(db, ids), {
    subjectOf: picturePrefix,
    fix: async (id) => {
      await jobs.enqueue(db, deletePictureFiles, { id }, { delaySeconds })
      return `deleted ${delaySeconds > 0 ? 'in a day' : 'by the next worker'}`
    },
  })
  await checkPrefix(
    run,
    storagePrefixes.sources,
    (key) => key,
    (keys) => listNeededSources(db, keys),
    {
      subjectOf: (key) => key,
      fix: async (sourceKey) => {
        await deleteSourceLater(context, sourceKey, delaySeconds)
        return `deleted ${delaySeconds > 0 ? 'in a day' : 'by the next worker'}`
      },
    },
  )
  const videoOf = (key: string) => key.split('/')[1] ?? ''
  await checkPrefix(run, storagePrefixes.live, videoOf, (ids) => listLiveVideos(db, ids), {
    subjectOf: (id) => `${storagePrefixes.live}${id}/`,
    fix: async (id) => {
      if ((await listLiveVideos(db, [id])).length === 0) await storage.delete(`${storagePrefixes.live}${id}/`)
      return 'deleted'
    },
  })
  await checkPrefix(run, storagePrefixes.segments, videoOf, (ids) => listKnownVideos(db, ids), {
    subjectOf: (id) => `${storagePrefixes.segments}${id}/`,
    fix: async (id) => {
      if ((await listKnownVideos(db, [id])).length === 0)
        await storage.delete(`${storagePrefixes.segments}${id}/`)
      return 'deleted'
    },
  })
}

async function checkPrefix(
  { context: { clock, storage }, result, progress, report }: Run,
  prefix: StoragePrefix,
  ownerOf: (key: string) => string,
  listNeeded: (owners: string[]) => Promise<string[]>,
  { subjectOf, fix }: { subjectOf: (owner: string) => string; fix: (owner: string) => Promise<string> },
): Promise<void> {
  const before = clock.now().getTime() - graceMs
  const leftovers: string[] = []
  let owners = new Map<string, string>()
  let total = 0
  const flush = async () => {
    const needed = new Set(await listNeeded([...owners.keys()]))
    total += owners.size
    for (const [owner, key] of owners) {
      if (needed.has(owner)) continue
      const file = storage.pathOf(key)
      const touchedAt =
        file === undefined ? 0 : ((await stat(file).catch(() => undefined))?.mtimeMs ?? before)
      if (touchedAt < before && leftovers.at(-1) !== owner) leftovers.push(owner)
    }
    owners = new Map()
  }
  for await (const { key } of listOwn(storage, prefix)) {
    owners.set(ownerOf(key), key)
    result.objects += 1
    progress(`Checking objects: ${result.objects}`)
    if (owners.size >= pageSize) await flush()
  }
  await flush()
  const isSuspicious = isSuspiciousSweep(leftovers.length, total)
  for (const owner of leftovers)
    await report({ kind: 'leftover', subject: subjectOf(owner), detail: 'No row mentions it.' }, async () => {
      if (isSuspicious)
        throw new Error(
          `${leftovers.length} of ${total} have no row, which is too many to delete. Check that this is the right database.`,
        )
      return fix(owner)
    })
}

async function checkCounters({ context: { db }, progress, report }: Run): Promise<void> {
  for (const counter of counters) {
    progress(`Counting ${counter.name}`)
    let after: string | undefined = ''
    while (after !== undefined) {
      const { last, miscounts } = await listMiscounts(db, counter, after, pageSize)
      for (const { id, stored, actual } of miscounts)
        await report(
          {
            kind: 'counter',
            subject: `${counter.name} ${id}`,
            detail: `Stored ${stored}, computed ${actual}.`,
          },
          async () => {
            await recount(db, counter, id)
            return 'counted again'
          },
        )
      after = last
    }
  }
}

/** Reads every file that the newest backup lists and a row references. */
async function checkHashes({ context, repository, result, progress, report }: Run): Promise<void> {
  const { db, storage } = context
  const snapshot = (await repository.list()).at(-1)
  if (snapshot === undefined) return
  for await (const { key, sha256 } of repository.readFiles(snapshot)) {
    const found = await storage.get(key)
    if (!found) continue
    const actual = await sha256Of(found.body)
    result.hashed += 1
    progress(`Reading files: ${result.hashed}`)
    if (actual === sha256 || !(await isNeeded(db, key))) continue
    await report(
      { kind: 'damaged', subject: key, detail: `Its hash differs from the one in backup ${snapshot}.` },
      async () => {
        const copied = await restoreFromBackup({ storage, repository }, (each) => each === key)
        return copied > 0 ? 'copied from the backup' : undefined
      },
    )
  }
}

async function isNeeded(db: Db, key: string): Promise<boolean> {
  const needed = key.startsWith(storagePrefixes.pictures)
    ? await listShownPictures(db, [pictureIdOf(key)])
    : await listNeededSources(db, [key])
  return needed.length > 0
}

/** Iterates over pages of rows by id (keyset pagination). */
async function* pages<Row extends { id: string }>(
  list: (after: string) => Promise<Row[]>,
): AsyncIterable<Row[]> {
  for (let after = ''; ;) {
    const page = await list(after)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.id
  }
}
