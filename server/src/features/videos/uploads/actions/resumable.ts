import { PassThrough, type Readable } from 'node:stream'
import { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { uploadsPath } from '@kinora/contract/constants.ts'
import { type UnfinishedUpload, UploadVisibility } from '@kinora/contract/videos/uploads.ts'
import { Server, type Upload } from '@tus/server'
import type { Context } from '../../../../context/context.ts'
import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { isDiskFull, noRoom } from '@kinora/platform/files/disk-full.ts'
import { newId } from '@kinora/platform/ids.ts'
import { worksOn } from '../../collaborators/actions.ts'
import { findPeople, listDraftsOf, updateUploadedBytes } from '../queries.ts'
import { assertUploadLength, isUploadId, refusalOfTus } from '../rules.ts'
import { getQuota, isLimited } from './quota.ts'
import { ignoreMissing, removeUpload, uploadStoreOf } from './unfinished-uploads.ts'
import type { UploadInspections } from './upload-inspections.ts'
import type { OpenUpload, UploadStore } from './upload-store.ts'

/** Request and response of the tus handler, independent of the connection. */
export interface TusRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: Readable
  /** Number of bytes of the body that have arrived. */
  receivedBytes: () => number
}

/** The channel of an upload, and the account that sends it. */
export interface Sender extends Record<string, string> {
  ownerId: string
  uploaderId: string
}

export interface TusResponse {
  status: number
  headers: [string, string][]
}

const metadataMaxBytes = 4 * 1024

/** The supported version of tus. */
export const TUS_VERSION = '1.0.0'

const methodsWithBody = new Set(['POST', 'PATCH'])

/** Uploads that survive a lost network and a killed server: received bytes are in an `UploadStore`. */
export class ResumableUploads {
  readonly #context: Context
  readonly #inspections: UploadInspections
  readonly #store: UploadStore
  readonly #server: Server
  readonly #senders = new WeakMap<object, Sender>()
  /** Requests that continue an upload of unknown length. */
  readonly #growing = new WeakSet<object>()
  /** Failure that a tus response cannot express. */
  readonly #refusals = new WeakMap<object, AppError>()

  constructor(context: Context, inspections: UploadInspections) {
    this.#context = context
    this.#inspections = inspections
    this.#store = uploadStoreOf(context)
    this.#server = new Server({
      path: apiPrefix + uploadsPath,
      datastore: this.#store,
      ...(this.#store.locker && { locker: this.#store.locker }),
      maxSize: context.config.uploadMaxBytes,
      relativeLocation: true,
      namingFunction: () => newId(),
      onUploadCreate: async (request, upload) => ({
        metadata: { ...upload.metadata, ...this.#senders.get(request) },
      }),
      onUploadFinish: async (request, { id, offset }) => {
        if (this.#growing.has(request)) await updateUploadedBytes(this.#context.db, id, offset)
        const file = this.#store.fileOf(id)
        if (file) inspections.begin(id, file, this.#senders.get(request)?.ownerId ?? '')
        return {}
      },
      onResponseError: (request, error) => {
        if (error instanceof AppError) this.#refusals.set(request, error)
        else if (isDiskFull(error)) this.#refusals.set(request, noRoom(error))
        return undefined
      },
    })
  }

  /** Ends the request of this process that continues an upload, for another process. */
  end(id: string): void {
    this.#store.locker?.end(id)
  }

  /** Handles a tus request. The caller checks who may send it. Throws refusals of tus as `AppError`. */
  async handle(
    { method, url, headers, body, receivedBytes }: TusRequest,
    sender: Sender,
  ): Promise<TusResponse> {
    if ((headers['upload-metadata'] ?? '').length > metadataMaxBytes)
      throw new AppError(videoErrors.uploadMetadataTooLong, { limit: metadataMaxBytes / 1024 })
    assertUploadLength(headers['upload-length'])
    const isGrowing = await this.#reserveQuota(method, url, headers, sender)
    using _ = await this.#reserveDisk(method, headers, receivedBytes)
    const request = new Request(new URL(url, 'http://localhost'), {
      method,
      headers,
      // Avoids the copy of each chunk that `Readable.toWeb` makes. With DOM types, as in the end-to-end tests, Node's
      // stream has an incompatible type.
      ...(methodsWithBody.has(method)
        ? { body: NodeReadableStream.from(detachable(body)) as ReadableStream, duplex: 'half' as const }
        : {}),
    })
    this.#senders.set(request, sender)
    if (isGrowing) this.#growing.add(request)
    const cancelled = method === 'DELETE' ? await this.#uploadAt(url) : undefined
    const response = await this.#server.handleWeb(request)
    if (response.status >= 400)
      throw this.#refusals.get(request) ?? refusalOfTus(response.status, await response.text())
    if (cancelled) await updateUploadedBytes(this.#context.db, cancelled.id, cancelled.offset)
    return {
      status: response.status,
      // no CORS: other origins may not upload
      headers: [...response.headers].filter(([name]) => !name.startsWith('access-control-')),
    }
  }

  #uploadAt(url: string): Promise<Upload | undefined> {
    return this.#store.getUpload(url.slice(url.lastIndexOf('/') + 1)).catch(ignoreMissing)
  }

  /** Declared sizes count when an upload begins, and unknown ones while it grows. Returns whether a request continues such a one. */
  async #reserveQuota(
    method: string,
    url: string,
    headers: Record<string, string>,
    { ownerId }: Sender,
  ): Promise<boolean> {
    const isBegun = method === 'POST' && headers['upload-defer-length'] !== undefined
    const upload = method === 'PATCH' ? await this.#uploadAt(url) : undefined
    const isGrowing = upload !== undefined && upload.size === undefined
    if (!isBegun && !isGrowing) return false
    const bytes =
      headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
    const isUnknown = isBegun ? bytes > 0 : !Number.isFinite(bytes)
    if (isUnknown && isLimited(await getQuota(this.#context, ownerId)))
      throw new AppError(videoErrors.uploadLengthUnknown)
    if (!isGrowing || isUnknown) return isGrowing
    const grownTo = Math.max(upload.offset + bytes, Number(headers['upload-length'] ?? 0))
    if (grownTo > this.#context.config.uploadMaxBytes) throw new AppError(videoErrors.uploadTooLarge)
    await this.#store.grow(upload, grownTo)
    return true
  }

  /** A bucket has room for the declared size; the disk buffers only the current part then. */
  async #reserveDisk(
    method: string,
    headers: Record<string, string>,
    receivedBytes: () => number,
  ): Promise<Disposable | undefined> {
    if (!methodsWithBody.has(method)) return undefined
    const { config, disk, storage } = this.#context
    const declared = Number(headers['upload-length'] ?? headers['content-length'] ?? 0)
    // a file above the limit is refused with 413 by tus
    return disk.reserve(storage.parts || declared > config.uploadMaxBytes ? 0 : declared, receivedBytes)
  }

  /** The channel of an upload; undefined if the upload does not exist. */
  async findOwner(id: string): Promise<string | undefined> {
    return (await this.#find(id))?.metadata?.['ownerId'] ?? undefined
  }

  async #find(id: string): Promise<Upload | undefined> {
    return isUploadId(id) ? this.#store.getUpload(id).catch(ignoreMissing) : undefined
  }

  /** Throws `not_found` if the upload does not exist, and `forbidden` for other users. */
  async assertOwn(id: string, userId: string): Promise<{ isComplete: boolean }> {
    const upload = await this.#find(id)
    if (!upload) throw new AppError(videoErrors.uploadNotFound)
    if (upload.metadata?.['ownerId'] !== userId) throw new AppError(videoErrors.uploadNotYours)
    return { isComplete: upload.offset === upload.size }
  }

  /**
   * The uploads into a channel that have a draft: those that the account itself has begun, and to the owner also those of people who
   * do not work on the channel any more.
   */
  async listUnfinished({ ownerId, uploaderId }: Sender): Promise<UnfinishedUpload[]> {
    const listed: UnfinishedUpload[] = []
    for (const { begunBy, upload } of await this.#listDrafts(ownerId)) {
      const isLeftBehind = uploaderId === ownerId && !(await worksOn(this.#context.db, begunBy, ownerId))
      if (begunBy === uploaderId || isLeftBehind) listed.push(upload)
    }
    return listed
  }

  /** The uploads into a channel that have a draft and that other people who work there have begun. */
  async listOfOthers({ ownerId, uploaderId }: Sender): Promise<UnfinishedUpload[]> {
    const theirs = (await this.#listDrafts(ownerId)).filter(({ begunBy }) => begunBy !== uploaderId)
    const people = await findPeople(
      this.#context.db,
      theirs.map(({ begunBy }) => begunBy),
    )
    const listed: UnfinishedUpload[] = []
    for (const { begunBy, upload } of theirs) {
      const uploader = people.get(begunBy)
      if (uploader && (await worksOn(this.#context.db, begunBy, ownerId)))
        listed.push({ ...upload, uploader })
    }
    return listed
  }

  async #listDrafts(ownerId: string): Promise<{ begunBy: string; upload: UnfinishedUpload }[]> {
    const drafts = await listDraftsOf(this.#context.db, ownerId)
    const uploads = await Promise.all(
      drafts.map(async ({ uploadId, visibility, ...texts }) => {
        // A draft remains for a while after its upload is deleted.
        const found = await this.#store.getUpload(uploadId).catch(ignoreMissing)
        if (!found) return []
        const upload = {
          _id: uploadId,
          ...texts,
          visibility: draftVisibility(visibility),
          fileName: found.metadata?.['filename'] ?? '',
          sizeBytes: found.size ?? found.offset,
          isGrowing: found.size === undefined,
          receivedBytes: found.offset,
          uploader: null,
        }
        return { begunBy: found.metadata?.['uploaderId'] ?? ownerId, upload }
      }),
    )
    return uploads.flat()
  }

  /**
   * Opens a complete upload, for its publication. Throws like `assertOwn`, and `conflict` if bytes are missing.
   */
  async openComplete(id: string, userId: string): Promise<OpenUpload> {
    const { isComplete } = await this.assertOwn(id, userId)
    if (!isComplete) throw new AppError(videoErrors.uploadIncomplete)
    return this.#store.open(id)
  }

  /** The inspection that began with the last byte, if this process received it. */
  takeInspection(id: string): Promise<SourceInfo> | undefined {
    return this.#inspections.take(id)
  }

  /** Deletes an upload with its bytes; does nothing if it does not exist. */
  async remove(id: string): Promise<void> {
    await removeUpload(this.#store, id)
  }
}

const draftVisibility = (stored: string) => UploadVisibility.catch('private').parse(stored)

/** The body through a pipe that can be detached: a body that is refused midway must still be read to its end. */
function detachable(body: Readable): PassThrough {
  const pipe = body.pipe(new PassThrough())
  const lose = () => {
    if (!body.readableEnded) pipe.destroy(new Error('The sender is gone'))
  }
  body.once('error', lose).once('close', lose)
  // errors after detaching have no other listener
  return pipe.on('error', () => undefined)
}
