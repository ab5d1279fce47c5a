import type { DataStore, Upload } from '@tus/server'
import pLimit from 'p-limit'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { lockUploadsOf } from '../queries.ts'
import { assertQuota, hasQuota } from './quota.ts'

/** The bytes of an upload, lent to a publication. Disposal restores the upload. */
export interface LentUpload extends AsyncDisposable {
  /** A local file; to be moved away unless the source is stored. */
  videoFile: string
  /** Storage key if the source is stored already; it stays there even if publishing fails. */
  storedAt?: string
}

/** Storage of unfinished uploads. */
export interface UploadStore extends DataStore {
  /** The uploads of an account, including complete ones that are not published. */
  idsOf(ownerId: string): Promise<string[]>
  /** Lends a complete upload. */
  lend(id: string): Promise<LentUpload>
  /** The local file of an upload, if there is one. */
  fileOf(id: string): string | undefined
}

/** Limit per account. Abandoned uploads are deleted after a day and count no more. */
const mostUnfinished = 100

/**
 * Limits the unfinished uploads of an account. Beginning an upload is serialized across processes, so that concurrent
 * requests cannot exceed the limit.
 */
export class UploadRoom {
  readonly #db: Context['db']
  readonly #config: Context['config']
  /** Waiters of this process need no database connection. */
  readonly #limit = pLimit(1)

  constructor({ db, config }: Pick<Context, 'db' | 'config'>) {
    this.#db = db
    this.#config = config
  }

  /** Throws `too_many_requests` if the owner has too many unfinished uploads. */
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
    return this.#limit(inTurn)
  }
}

/** The declared size of an upload, or the received size if none is declared. */
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
