import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { captionsMaxBytes } from '@kinora/contract/constants.ts'
import { isLanguage, maxCaptions } from '@kinora/contract/videos/captions.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { toVtt } from '@kinora/media/captions/to-vtt.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Db } from '../../../../context/database.ts'
import { lockVideos } from '../../videos/queries/lock-videos.ts'
import { insertCaptions, listAddedCaptions, listCaptionsAfter, updateCaptions } from '../queries.ts'
import { automaticLabelOf, labelOf } from '../rules.ts'

const batchSize = 100

/** `<id of the video>.<language>.vtt`; `.auto` marks automatic captions; further ones of a language are named by their ids. */
const fileName = /^([\w-]{1,64})\.([A-Za-z\d-]{2,35})(\.auto)?(?:\.([\w-]{16}))?\.(?:vtt|srt)$/

/** A file that was left out, with the reason. */
export interface SkippedFile {
  file: string
  reason: string
}

/** Writes all added captions of the site into a folder, each as `<id of the video>.<language>.vtt`. Returns how many. */
export async function exportCaptions(db: Db, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const names = new Set<string>()
  let last = { videoId: '', id: '' }
  for (;;) {
    const batch = await listCaptionsAfter(db, last, batchSize)
    for (const { id, videoId, language, isAutomatic, content } of batch) {
      const name = `${videoId}.${language}${isAutomatic ? '.auto' : ''}`
      // several of a language keep their ids
      await writeFile(path.join(folder, names.has(name) ? `${name}.${id}.vtt` : `${name}.vtt`), content)
      names.add(name)
      last = { videoId, id }
    }
    if (batch.length < batchSize) return names.size
  }
}

/**
 * Reads captions from a folder as `exportCaptions` writes it, also SubRip. They replace those of the same video and language: automatic ones
 * only automatic ones. Files of other names, of videos that are not here, and files that cannot be read are left out.
 */
export async function importCaptions(
  db: Db,
  folder: string,
): Promise<{ imported: number; skipped: SkippedFile[] }> {
  const skipped: SkippedFile[] = []
  let imported = 0
  for (const file of (await readdir(folder)).toSorted()) {
    try {
      await importFile(db, folder, file)
      imported += 1
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof UnusableFile)) throw error
      skipped.push({ file, reason: error.message })
    }
  }
  return { imported, skipped }
}

class UnusableFile extends Error {}

async function importFile(db: Db, folder: string, file: string): Promise<void> {
  const [, videoId = '', language = '', mark, trackId] = fileName.exec(file) ?? []
  if (!isLanguage(language)) throw new UnusableFile('The name is not <id of the video>.<language>.vtt.')
  const { size } = await stat(path.join(folder, file))
  if (size > captionsMaxBytes) throw new UnusableFile('Captions have at most 2 MB.')
  const content = toVtt(await readFile(path.join(folder, file)), language)
  const isAutomatic = mark !== undefined
  await db.transaction().execute(async (transaction) => {
    if ((await lockVideos(transaction, [videoId])).length === 0)
      throw new UnusableFile('The video is not here.')
    const own = await listAddedCaptions(transaction, videoId)
    const known = own.find(
      (track) =>
        track.id === trackId ||
        (trackId === undefined && track.language === language && track.isAutomatic === isAutomatic),
    )
    if (known) return updateCaptions(transaction, { videoId, id: known.id }, { content })
    if (own.length >= maxCaptions) throw new AppError(videoErrors.captionsTrackLimit, { limit: maxCaptions })
    await insertCaptions(transaction, {
      id: trackId ?? newId(),
      videoId,
      language,
      label: isAutomatic ? automaticLabelOf(language) : labelOf(undefined, language),
      isDefault: false,
      isAutomatic,
      fileTrack: null,
      content,
    })
  })
}
