import { pictureWidths, type PictureKind } from '@kinora/contract/pictures.ts'
import sharp from 'sharp'
import type { Context } from '../../context.ts'
import type { Db } from '../../database.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { Turns } from '../../platform/turns.ts'
import { deletePictureFiles } from './jobs.ts'
import { listTakenDown } from './queries.ts'
import { boxOf, isAllowedFormat, pictureKey, picturePrefix } from './rules.ts'

// Only these decoders ever see a stranger's bytes: no SVG, no PDF, no TIFF, whatever the file says it is.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
})
// one thread each, and two at a time below: the cores belong to answering requests
sharp.concurrency(1)
sharp.cache(false)
/** The others wait, so that many uploads cannot fill the memory with pixels. */
const encoding = new Turns(2)

/**
 * Decodes the picture in a file, whatever its name says, and stores it in every size of its kind.
 *
 * The file is read, not taken. Pictures are turned upright; metadata (place, camera) is left behind.
 * Answers the id of the new picture. Throws `invalid` with `message` when this is no picture of an accepted kind,
 * or one of more pixels than anybody needs.
 */
export async function storePicture(
  { storage, config }: Pick<Context, 'storage' | 'config'>,
  file: string,
  kind: PictureKind,
  message = 'This file is not a picture that can be read',
): Promise<string> {
  const id = newId()
  const sizes = await encoding.run(() =>
    encode(file, kind, { message, maxMegapixels: config.pictureMaxMegapixels }),
  )
  try {
    for (const { width, webp, jpg } of sizes) {
      await storage.put(pictureKey(id, width, 'webp'), webp)
      await storage.put(pictureKey(id, width, 'jpg'), jpg)
    }
  } catch (error) {
    await storage.delete(picturePrefix(id))
    throw error
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

async function encode(
  file: string,
  kind: PictureKind,
  { message, maxMegapixels }: { message: string; maxMegapixels: number },
) {
  const largest = Math.max(...pictureWidths[kind])
  try {
    const source = sharp(file, { limitInputPixels: maxMegapixels * 1e6, failOn: 'truncated', pages: 1 })
    const { format } = await source.metadata()
    if (!isAllowedFormat(kind, format)) throw new AppError('invalid', message)
    // what would show through a still differs from page to page and theme to theme; an avatar may have a shape
    const shown = kind === 'avatar' ? source : source.flatten({ background: 'white' })
    // decoded once, at the largest size; the others are made of that
    const { data, info } = await shown
      .autoOrient()
      .resize({ ...boxOf(kind, largest), ...fitOf(kind) })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const sizes = []
    for (const width of pictureWidths[kind]) {
      const sized = sharp(data, { raw }).resize({ ...boxOf(kind, width), ...fitOf(kind) })
      sizes.push({
        width,
        webp: await sized.clone().webp({ quality: 80 }).toBuffer(),
        jpg: await sized.clone().flatten({ background: 'white' }).jpeg({ quality: 82 }).toBuffer(),
      })
    }
    return sizes
  } catch (error) {
    if (error instanceof AppError) throw error
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit')
    throw new AppError(
      'invalid',
      isTooLarge ? `The picture has too many pixels: at most ${maxMegapixels} million` : message,
      {
        cause: error,
      },
    )
  }
}

const fitOf = (kind: PictureKind) =>
  ({ fit: kind === 'avatar' ? 'cover' : 'inside', withoutEnlargement: true }) as const
