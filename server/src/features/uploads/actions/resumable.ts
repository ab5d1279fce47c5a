import { link, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { uploadsPath } from '@kinora/contract/uploads.ts'
import type { Video } from '@kinora/contract/videos.ts'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { getVideo } from '../../videos/queries.ts'
import { hasVideoOf } from '../queries.ts'
import { isUploadId, refusalOfTus } from '../rules.ts'
import { storeThumbnail } from './early-thumbnail.ts'
import { publishVideo } from './publish-video.ts'

/** What tus takes and gives, apart from the connection. */
export interface TusRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: Readable
}

export interface TusAnswer {
  status: number
  headers: [string, string][]
}

const methodsWithBody = new Set(['POST', 'PATCH'])

/**
 * Uploads that survive a lost network and a killed server: bytes are appended to a file below `DATA_DIR/uploads` as
 * they come, and its size is the offset to go on from. Beside each file a small one says whose it is.
 */
export class ResumableUploads {
  readonly #store: FileStore
  readonly #server: Server
  readonly #owners = new WeakMap<object, string>()

  constructor(config: Pick<Config, 'dataDir' | 'uploadMaxBytes'>) {
    this.#store = storeOf(config)
    this.#server = new Server({
      path: apiPrefix + uploadsPath,
      datastore: this.#store,
      maxSize: config.uploadMaxBytes,
      relativeLocation: true,
      namingFunction: () => newId(),
      onUploadCreate: async (request, upload) => ({
        metadata: { ...upload.metadata, ownerId: this.#owners.get(request) ?? null },
      }),
    })
  }

  /** Speaks tus with the owner of an upload, or with anybody who makes one. Throws what tus refuses as AppError. */
  async handle({ method, url, headers, body }: TusRequest, userId: string): Promise<TusAnswer> {
    const request = new Request(new URL(url, 'http://localhost'), {
      method,
      headers,
      // Where the types of the browser are known too, as for the journeys, Node's stream counts as another one.
      ...(methodsWithBody.has(method)
        ? { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' as const }
        : {}),
    })
    this.#owners.set(request, userId)
    const response = await this.#server.handleWeb(request)
    if (response.status >= 400) throw refusalOfTus(response.status, await response.text())
    return {
      status: response.status,
      // other sites have no business here
      headers: [...response.headers].filter(([name]) => !name.startsWith('access-control-')),
    }
  }
}

const directoryOf = (config: Pick<Config, 'dataDir'>) => path.join(config.dataDir, 'uploads')
const storeOf = (config: Pick<Config, 'dataDir'>) => new FileStore({ directory: directoryOf(config) })

/** Throws `not_found` for an upload that is not there, `forbidden` for somebody else's. */
export async function demandOwnUpload(
  config: Pick<Config, 'dataDir'>,
  id: string,
  userId: string,
): Promise<{ isComplete: boolean; file: string }> {
  const upload = isUploadId(id) ? await storeOf(config).getUpload(id).catch(ignoreMissing) : undefined
  if (!upload) throw new AppError('not_found', 'There is no such upload: it was never begun, or too long ago')
  if (upload.metadata?.['ownerId'] !== userId) throw new AppError('forbidden', 'This upload is not yours')
  return { isComplete: upload.offset === upload.size, file: path.join(directoryOf(config), id) }
}

function ignoreMissing(error: unknown): undefined {
  const status = typeof error === 'object' && error !== null && 'status_code' in error ? error.status_code : 0
  if (status !== 404 && status !== 410) throw error
}

/** What to publish besides the bytes. */
export interface Publication {
  uploadId: string
  ownerId: string
  title: string
  description: string
  thumbnailFile: string
}

/**
 * Makes a video of a complete upload. The video has the upload's id, so that asking again answers the same video.
 *
 * Throws `conflict` while bytes are missing, and `invalid` like `publishVideo`; a source of a wrong type is deleted,
 * anything else that is wrong leaves the upload as it is.
 */
export async function publishUploaded(
  context: Context,
  { uploadId: id, thumbnailFile, ...publication }: Publication,
  signal: AbortSignal,
): Promise<Video> {
  const { config, db } = context
  if (await hasVideoOf(db, id, publication.ownerId)) return getVideo(db, id)
  const upload = await demandOwnUpload(config, id, publication.ownerId)
  if (!upload.isComplete) throw new AppError('conflict', 'The upload is not complete yet')

  // a second name for the same bytes: publishing may take that one, and the upload survives if it fails
  const videoFile = path.join(config.dataDir, 'incoming', newId())
  await mkdir(path.dirname(videoFile), { recursive: true })
  await link(upload.file, videoFile)
  try {
    const thumbnail = storeThumbnail(context, thumbnailFile)
    const video = await publishVideo(context, { id, ...publication, videoFile, thumbnail }, signal)
    await removeUpload(config, id)
    return video
  } catch (error) {
    if (await hasVideoOf(db, id, publication.ownerId)) return getVideo(db, id)
    const isWrongSource =
      error instanceof AppError && error.errors.some(({ path: field }) => field === 'video')
    if (isWrongSource) await removeUpload(config, id)
    throw error
  } finally {
    await rm(videoFile, { force: true })
  }
}

async function removeUpload(config: Pick<Config, 'dataDir'>, id: string): Promise<void> {
  await storeOf(config).remove(id).catch(ignoreMissing)
}
