import type { PictureKind } from '@kinora/contract/pictures.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database.ts'
import { encodePicture, PictureRefused, type PictureSender } from '../../media/pictures/encode-picture.ts'
import { newId } from '../../platform/ids.ts'
import { deletePictureFiles } from './jobs.ts'
import { listTakenDown } from './queries.ts'
import { formatsOf, pictureKey, picturePrefix, refusalOf } from './rules.ts'

/** Services for storing a picture, and the sender it is queued for. */
export type PictureContext = Pick<Context, 'storage' | 'config'> & { sender?: PictureSender }

/** The sender of pictures that commands and the demo store. */
const operator: PictureSender = { address: '' }

/**
 * Decodes the picture in a file, whatever its name says, and stores it in every size of its kind. Returns the id of the
 * new picture.
 *
 * The file is read, not taken. Pictures are turned upright; metadata (place, camera) is left behind.
 *
 * Throws `invalid` with `message` for a file that is no picture of an accepted kind, and with a reason of its own for one
 * that takes too much to decode.
 */
export async function storePicture(
  { storage, config, sender = operator }: PictureContext,
  file: string,
  kind: PictureKind,
  message = 'This file is not a picture that can be read',
): Promise<string> {
  const id = newId()
  const { pictureMaxMegapixels: maxMegapixels } = config
  const request = { file, kind, formats: formatsOf(kind), maxMegapixels }
  const sizes = await encodePicture(request, sender).catch((error: unknown) => {
    throw error instanceof PictureRefused ? refusalOf(error, { message, maxMegapixels }) : error
  })
  // all at once: on a busy machine each file waits for the disk and for a thread several times
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

/** Deletes a picture that was stored but is not shown anywhere yet. */
export async function discardPicture({ storage }: Pick<Context, 'storage'>, id: string): Promise<void> {
  await storage.delete(picturePrefix(id))
}

/** Has the files of a picture deleted once the transaction of `db`, in which it went out of use, commits. */
export async function retirePicture({ jobs }: Pick<Context, 'jobs'>, db: Db, id: string): Promise<void> {
  // pages that are open still show the old picture for a while
  await jobs.enqueue(db, deletePictureFiles, { id }, { delaySeconds: 60 })
}

/** A signal can get lost: after so long it is looked again. */
const freshMs = 5000

/** Which pictures only their owner may see, since their video is taken down; known without a question for each picture. */
export class HiddenPictures {
  readonly #context: Pick<Context, 'db' | 'log'>
  #known: Promise<Owners> | undefined
  #readAt = 0
  /** For as long as the database is away: pictures need none. */
  #last: Owners | undefined

  constructor(context: Pick<Context, 'db' | 'log'>) {
    this.#context = context
  }

  /** Any video may have been taken down, or be back: whoever asks from now on waits until it is known. */
  forget(): void {
    this.#known = undefined
  }

  /** Whose a hidden picture is; undefined for one that everybody may see. */
  async ownerOf(id: string): Promise<string | undefined> {
    const isOld = performance.now() - this.#readAt > freshMs
    if (!this.#known) this.#known = this.#read()
    else if (isOld) void this.#readAgain(this.#known)
    return (await this.#known).get(id)
  }

  async #readAgain(before: Promise<Owners>): Promise<void> {
    const reading = this.#read()
    await reading.catch(() => undefined)
    if (this.#known === before) this.#known = reading
  }

  async #read(): Promise<Owners> {
    this.#readAt = performance.now()
    try {
      const rows = await listTakenDown(this.#context.db)
      this.#last = new Map(rows.map(({ thumbnail, ownerId }) => [thumbnail, ownerId]))
    } catch (error) {
      if (!this.#last) {
        this.#known = undefined
        throw error
      }
      this.#context.log.warn({ err: error }, 'hidden pictures could not be looked up')
    }
    return this.#last
  }
}

type Owners = ReadonlyMap<string, string>
