import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../../context/context.ts'
import type { Repository } from '../../features/operations/backups/actions/repository.ts'
import { discardPicture, deletePictureLater, storePicture } from '../../features/pictures/actions.ts'
import { getPlayable } from '../../features/videos/playback/queries.ts'
import { toSourceTime } from '@kinora/contract/videos/cut-times.ts'
import { readFrameAt } from '@kinora/media/pictures/frame.ts'
import { readTool, toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { inputArgs } from '@kinora/media/source/container.ts'
import { sha256Of } from '@kinora/platform/files/sha256.ts'
import { removeCover, resetAvatar } from '../accounts.ts'
import { setThumbnail, type UserPictures } from './queries.ts'

/** Copies intact files of the newest backup into the storage. Returns how many. */
export async function restoreFromBackup(
  { storage, repository }: Pick<Context, 'storage'> & { repository: Repository },
  isWanted: (key: string) => boolean,
): Promise<number> {
  const snapshot = (await repository.list()).at(-1)
  let copied = 0
  if (snapshot === undefined) return copied
  for await (const { key, sha256 } of repository.readFiles(snapshot)) {
    if (!isWanted(key)) continue
    const file = repository.fileOf(key)
    // A file that is missing or unreadable counts as damaged.
    const actual = await sha256Of(createReadStream(file)).catch(() => undefined)
    if (actual !== sha256) continue
    // a stream, because a hard link would share later damage with the backup
    await storage.put(key, createReadStream(file))
    copied += 1
  }
  return copied
}

/** Replaces a profile picture with the account's plain colour, or removes a cover picture. */
export async function clearPicture(
  context: Context,
  user: UserPictures,
  column: 'avatar' | 'coverImage',
): Promise<string> {
  if (column === 'coverImage') {
    await removeCover(context, user)
    return 'removed'
  }
  await resetAvatar(context, user)
  return 'replaced by a plain colour'
}

/** Creates a thumbnail from a frame of the source. Throws if no frame can be decoded. */
export async function redrawThumbnail(context: Context, videoId: string, before: string): Promise<string> {
  const { config, db, storage } = context
  const { sourceKey, source, cut } = await getPlayable(db, videoId)
  await using file = await storage.open(sourceKey)
  if (!file) throw new Error('its source is missing')
  const args = ['-v', 'error', ...inputArgs(source, file.path)]
  const frame = ['-map', '0:v:0', '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', 'pipe:1']
  const picture = cut
    ? await readFrameAt(
        toolsOf(config),
        { source, path: file.path, signal: AbortSignal.timeout(120_000) },
        toSourceTime(cut, 0),
      )
    : await readTool(config.ffmpegPath, [...args, ...frame], {
        reads: [file.path],
        timeoutMs: 120_000,
        maxBytes: 256 * 1024 * 1024,
      })
  const directory = await mkdtemp(path.join(config.dataDir, '.check-'))
  try {
    const still = path.join(directory, 'still.png')
    await writeFile(still, picture)
    const thumbnail = await storePicture(context, still, 'thumbnail')
    const isSet = await db.transaction().execute(async (transaction) => {
      const isReplaced = await setThumbnail(transaction, videoId, before, thumbnail)
      if (isReplaced) await deletePictureLater(context, transaction, before)
      return isReplaced
    })
    if (!isSet) await discardPicture(context, thumbnail)
    return 'drawn from the source'
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
