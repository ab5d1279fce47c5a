import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { type Failure } from '@kinora/contract/failure.ts'
import { LRUCache } from 'lru-cache'
import type { PictureKind } from '@kinora/contract/pictures.ts'
import type { Context } from '../../context/context.ts'
import type { Db } from '../../context/database.ts'
import { encodePicture, PictureRefused, type PictureSender } from '@kinora/media/pictures/encode-picture.ts'
import { Batches } from '@kinora/platform/db/batches.ts'
import { newId } from '@kinora/platform/ids.ts'
import { hiddenKey } from '../../context/storage-keys.ts'
import { TaggedCache } from '@kinora/platform/tagged-cache.ts'
import { deletePictureFiles } from './jobs.ts'
import { type HiddenVideo, listHiddenByThumbnail } from './queries.ts'
import { formatsOf, pictureKey, picturePrefix, refusalOf } from './rules.ts'

/** Services for storing a picture, and the sender whose queue it joins. The signal aborts it. */
export type PictureContext = Pick<Context, 'storage' | 'config'> & {
  sender?: PictureSender
  signal?: AbortSignal
  /** Accepted formats, by sharp's names, where they are not those of the kind. */
  formats?: readonly string[]
}

/** The sender of pictures that commands and the demo store. */
const operator: PictureSender = { address: '' }

/**
 * Decodes the picture in a file, whatever its name, and stores it in every size of its kind. Returns the id of the new
 * picture.
 *
 * The file is read, not moved. Pictures are rotated upright and their metadata (place, camera) is removed.
 *
 * Throws `failure` if the file is no picture of an accepted kind, and with a reason of its own if it
 * takes too many resources to decode.
 */
export async function storePicture(
  { storage, config, sender = operator, signal, formats }: PictureContext,
  file: string,
  kind: PictureKind,
  failure: Failure = videoErrors.notPicture,
): Promise<string> {
  const id = newId()
  const { pictureMaxMegapixels: maxMegapixels } = config
  const request = { file, kind, formats: formats ?? formatsOf(kind), maxMegapixels }
  const sizes = await encodePicture(request, sender, signal).catch((error: unknown) => {
    throw error instanceof PictureRefused ? refusalOf(error, { failure, maxMegapixels }) : error
  })
  // in parallel: on a busy machine each file waits for the disk and for a thread several times
  const stored = await Promise.allSettled(
    sizes.flatMap(({ width, webp, jpg }) => [
      storage.put(pictureKey(id, width, 'webp'), webp),
      storage.put(pictureKey(id, width, 'jpg'), jpg),
    ]),
  )
  for (const put of stored) {
    if (put.status === 'fulfilled') continue
    await storage.delete(picturePrefix(id))
    throw put.reason
  }
  return id
}

/** Deletes the files of a picture that nothing shows, and the mark that hid them. */
export async function discardPicture({ storage }: Pick<Context, 'storage'>, id: string): Promise<void> {
  await storage.delete(picturePrefix(id))
  await storage.delete(hiddenKey(id))
}

/** Deletes the files of a replaced picture after the transaction of `db` commits. */
export async function deletePictureLater({ jobs }: Pick<Context, 'jobs'>, db: Db, id: string): Promise<void> {
  // open pages still show the old picture for a while
  await jobs.enqueue(db, deletePictureFiles, { id }, { delaySeconds: 60 })
}

const maxKnown = 50_000
const picturesPerLookup = 500

/** The pictures of videos with restricted visibility. Concurrent lookups share one query. */
export class HiddenPictures {
  readonly #log: Context['log']
  readonly #cache: TaggedCache<HiddenVideo | undefined>
  /** Last read row of each picture, for when the database is down. */
  readonly #last = new LRUCache<string, { video: HiddenVideo | undefined }>({ max: maxKnown })
  readonly #lookups: Batches<string, HiddenVideo | undefined>

  constructor({ db, log, cacheTags }: Pick<Context, 'db' | 'log' | 'cacheTags'>) {
    this.#log = log
    this.#cache = new TaggedCache(cacheTags, { maxSize: maxKnown })
    this.#lookups = new Batches(async (ids) => {
      const found = new Map((await listHiddenByThumbnail(db, ids)).map((video) => [video.thumbnail, video]))
      return ids.map((id) => found.get(id))
    }, picturesPerLookup)
  }

  /** The hidden video of a picture; undefined for a picture that everybody may see. */
  async find(id: string): Promise<HiddenVideo | undefined> {
    try {
      const video = await this.#cache.get(id, ['videos'], () => this.#lookups.add(id))
      this.#last.set(id, { video })
      return video
    } catch (error) {
      const last = this.#last.get(id)
      if (!last) throw error
      this.#log.warn({ err: error }, 'hidden pictures could not be looked up')
      return last.video
    }
  }
}
