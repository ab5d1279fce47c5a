import type { DataStore, Upload } from '@tus/server'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import { lockUploadsOf } from '../queries.ts'
import { assertQuota, hasQuota } from './quota.ts'

/** The bytes of an upload, for publishing; the upload is as it was when this is disposed of. */
export interface LentUpload extends AsyncDisposable {
  /** A local file; to be moved away unless the source is stored. */
  videoFile: string
  /** Where the source is already, to stay there whatever becomes of the video. */
  storedAt?: string
}

/** Where the bytes of unfinished uploads are. */
export interface UploadStore extends DataStore {
  /** Those of somebody, complete ones that are not published included. */
  idsOf(ownerId: string): Promise<string[]>
  /** Lends a complete upload. */
  lend(id: string): Promise<LentUpload>
  /** The file that the bytes of an upload are in, if they are in one. */
  fileOf(id: string): string | undefined
}

/** Of one person; what nobody goes on with is cleared after a day and counts no more. */
const mostUnfinished = 100

/**
 * The room that everybody has for unfinished uploads. They are counted and begun in turn, in all processes, so that of many that
 * one person begins at the same moment as many are taken as there is room for.
 */
export class UploadRoom {
  readonly #db: Context['db']
  readonly #config: Context['config']
  /** Waiters of this process need no database connection. */
  readonly #semaphore = new Semaphore(1)

  constructor({ db, config }: Pick<Context, 'db' | 'config'>) {
    this.#db = db
    this.#config = config
  }

  /** Throws `too_many_requests` when the owner has no room for another upload. */
  begin(store: UploadStore, { metadata, size }: Upload, create: () => Promise<Upload>): Promise<Upload> {
    const ownerId = metadata?.['ownerId'] ?? ''
    const inTurn = () =>
      this.#db.transaction().execute(async (transaction) => {
        await lockUploadsOf(transaction, ownerId)
        const ids = await store.idsOf(ownerId)
        if (ids.length >= mostUnfinished) throw tooMany()
        if (hasQuota(this.#config)) {
          const declared = await Promise.all(ids.map((id) => sizeOf(store, id)))
          const bytes = declared.reduce((sum, each) => sum + each, size ?? 0)
          await assertQuota({ db: transaction, config: this.#config }, ownerId, { bytes })
        }
        return create()
      })
    return this.#semaphore.run(inTurn)
  }
}

/** The declared size of an upload, or what has arrived of one that declares none. */
const sizeOf = async (store: UploadStore, id: string) => {
  // An upload deleted meanwhile takes no space.
  const upload = await store.getUpload(id).catch(() => undefined)
  return upload ? (upload.size ?? upload.offset) : 0
}

const tooMany = () =>
  new AppError(
    'too_many_requests',
    `You have ${mostUnfinished} unfinished uploads: finish one of them, or give it up, before you begin another`,
  )
