import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { DataStore, Upload } from '@tus/server'
import pLimit from 'p-limit'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { hasVideoOf, listCountedBytes, lockUploadsOf, sumVideosOf, updateUploadedBytes } from '../queries.ts'
import type { UploadLocker } from './upload-locker.ts'
import { assertNewAccountMayUpload, assertQuota, countUpload, isLimited, getQuota } from './quota.ts'

/** The bytes of an upload, opened for its publication. Disposal restores the upload. */
export interface OpenUpload extends AsyncDisposable {
  /** A local file; to be moved away unless the source is stored. */
  videoFile: string
  /** Storage key if the source is stored already; it stays there even if publishing fails. */
  storedAt?: string
}

/** Storage of unfinished uploads. */
export interface UploadStore extends DataStore {
  /** The uploads of an account, including complete ones that are not published. */
  listIds(ownerId: string): Promise<string[]>
  /** Reserves room in the quota of the owner for an upload of unknown length that grows to `bytes`. Never takes room back. */
  grow(upload: Upload, bytes: number): Promise<void>
  /** Opens a complete upload for its publication. */
  open(id: string): Promise<OpenUpload>
  /** Serializes requests that continue an upload, across processes. Undefined where the store itself does. */
  readonly locker?: UploadLocker
  /** The local file of an upload, if there is one. */
  fileOf(id: string): string | undefined
}

/** Limit per account. Abandoned uploads are deleted after a day and count no more. */
const mostUnfinished = 100

/** Limit of those of unknown length, which are kept for longer and may each grow to the largest size. */
const mostGrowing = 5

/** Creates an upload in a store. */
export interface Creation<Prepared> {
  /** Slow steps, such as requests to a bucket: no transaction and no other upload waits for them. */
  prepare(): Promise<Prepared>
  insert(transaction: Db, prepared: Prepared): Promise<Upload>
  /** Takes `prepare` back where the upload is refused. */
  undo(prepared: Prepared): Promise<void>
}

type RoomContext = Pick<Context, 'db' | 'config' | 'clock' | 'siteSettings'>

/**
 * Limits the unfinished uploads of an account. Beginning an upload is serialized across processes, so that concurrent
 * requests cannot exceed the limit.
 */
export class UploadLimit {
  readonly #context: RoomContext
  /** Waiters of this process need no database connection. */
  readonly #limit = pLimit(1)

  constructor(context: RoomContext) {
    this.#context = context
  }

  /** Throws `too_many_requests` if the owner has too many unfinished uploads. */
  async begin<Prepared>(
    store: UploadStore,
    upload: Upload,
    { prepare, insert, undo }: Creation<Prepared>,
  ): Promise<Upload> {
    // a refused upload costs no request to a bucket
    await this.#inTurn(store, upload, async () => undefined)
    const prepared = await prepare()
    try {
      return await this.#inTurn(store, upload, async (db) => {
        const { id: uploadId, size } = upload
        const ownerId = upload.metadata?.['ownerId'] ?? ''
        // An upload of unknown length counts while it grows.
        await countUpload({ ...this.#context, db }, { uploadId, ownerId, bytes: size ?? 0 })
        return insert(db, prepared)
      })
    } catch (error) {
      await undo(prepared)
      throw error
    }
  }

  /**
   * Reserves room for an upload of unknown length that grows to `bytes`, before they arrive: concurrent requests cannot
   * exceed a quota together. What another request has reserved stays reserved. Throws `too_large` if there is no room.
   */
  grow(store: UploadStore, upload: Upload, bytes: number): Promise<void> {
    const ownerId = upload.metadata?.['ownerId'] ?? ''
    return this.#context.db.transaction().execute(async (transaction) => {
      const inTransaction = { ...this.#context, db: transaction }
      await lockUploadsOf(transaction, ownerId)
      const counted = (await listCountedBytes(transaction, [upload.id])).get(upload.id) ?? 0
      const reserved = Math.max(bytes, counted)
      if (isLimited(await getQuota(inTransaction, ownerId))) {
        const others = await listOthers(store, ownerId, upload.id)
        const { id, metadata, offset } = upload
        const begun = [{ id, metadata, size: reserved, offset }, ...others]
        await assertQuota(inTransaction, ownerId, {
          videos: 0,
          bytes: await additionalBytes(transaction, ownerId, begun),
          dailyBytes: reserved - counted,
        })
      }
      await updateUploadedBytes(transaction, upload.id, reserved)
    })
  }

  /** Runs `work` in a transaction in which no other upload of the owner begins, after checking the limits. */
  #inTurn<Result>(
    store: UploadStore,
    { id, metadata, size }: Upload,
    work: (transaction: Db) => Promise<Result>,
  ): Promise<Result> {
    const ownerId = metadata?.['ownerId'] ?? ''
    const replaced = metadata?.['replaces']
    const inTurn = () =>
      this.#context.db.transaction().execute(async (transaction) => {
        const inTransaction = { ...this.#context, db: transaction }
        await lockUploadsOf(transaction, ownerId)
        const ids = await store.listIds(ownerId)
        if (ids.length >= mostUnfinished) throw tooMany()
        if (size === undefined && (await countGrowing(store, ownerId)) >= mostGrowing) throw tooManyGrowing()
        const isReplacement = replaced ? await hasVideoOf(transaction, replaced, ownerId) : false
        if (!isReplacement) await assertNewAccountMayUpload(inTransaction, ownerId)
        if (isLimited(await getQuota(inTransaction, ownerId))) {
          const begun = [{ id, metadata, size, offset: 0 }, ...(await listOthers(store, ownerId, id))]
          await assertQuota(inTransaction, ownerId, {
            videos: isReplacement ? 0 : 1,
            bytes: await additionalBytes(transaction, ownerId, begun),
            dailyBytes: size ?? 0,
          })
        }
        return work(transaction)
      })
    return this.#limit(inTurn)
  }
}

/** The unfinished uploads of an account besides one. An upload deleted meanwhile takes no space. */
async function listOthers(store: UploadStore, ownerId: string, except?: string): Promise<Upload[]> {
  const ids = (await store.listIds(ownerId)).filter((id) => id !== except)
  const others = await Promise.all(ids.map((id) => store.getUpload(id).catch(() => undefined)))
  return others.filter((other) => other !== undefined)
}

async function countGrowing(store: UploadStore, ownerId: string): Promise<number> {
  return (await listOthers(store, ownerId)).filter(({ size }) => size === undefined).length
}

/**
 * Increase of an account's usage by its unfinished uploads, without the files they replace: their declared sizes, or what they
 * have grown to.
 */
async function additionalBytes(
  db: Db,
  ownerId: string,
  begun: Pick<Upload, 'id' | 'metadata' | 'size' | 'offset'>[],
): Promise<number> {
  const growing = begun.filter(({ size }) => size === undefined).map(({ id }) => id)
  const counted = await listCountedBytes(db, growing)
  const added = begun.reduce(
    (sum, { id, size, offset }) => sum + (size ?? Math.max(offset, counted.get(id) ?? 0)),
    0,
  )
  const replaced = begun.flatMap(({ metadata }) => metadata?.['replaces'] ?? [])
  return added - (await sumVideosOf(db, ownerId, replaced)).bytes
}

const tooMany = () => new AppError(videoErrors.unfinishedUploadLimit, { count: mostUnfinished })
const tooManyGrowing = () => new AppError(videoErrors.growingUploadLimit, { count: mostGrowing })
