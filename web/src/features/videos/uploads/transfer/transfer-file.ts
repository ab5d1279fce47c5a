import { t } from '@lingui/core/macro'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { failureOf, isTransient } from '@kinora/contract/videos/transfer-failures.ts'
import { watchStalls } from '@kinora/contract/videos/transfer-stalls.ts'
import { uploadsPath } from '@kinora/contract/constants.ts'
import type { Upload } from 'tus-js-client'
import { isNotFound } from '../../../../lib/is-not-found.ts'

/** Chunk size: below the body limits of common proxies, large enough to keep requests few. */
const CHUNK_BYTES = 32 * 1024 * 1024

/** Backoff after consecutive failures; gives up after about ten minutes without progress. */
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, ...Array.from({ length: 40 }, () => 15_000)]

export type TransferOptions = {
  /** Aborting stops the transfer; the server keeps the received bytes. */
  signal: AbortSignal
  /** The upload to continue; otherwise one of the same file in this browser is continued, or a new one begins. */
  uploadId?: string | undefined
  /** Username of the channel, where it is not the own one. */
  channel?: string | undefined
  /** The video whose file the upload replaces, for the quota. */
  replaces?: string | undefined
  onSent: (sentBytes: number, totalBytes: number) => void
  onInterrupted?: (() => void) | undefined
  /** Time without progress after which a request is repeated. */
  stallMs?: number | undefined
  /** Called as soon as the upload exists on the server. */
  onCreated?: (uploadId: string) => void
}

const metadataOf = ({ name, type }: File) => ({ filename: name, filetype: type })

/** Where uploads into a channel begin. This browser remembers uploads by it. */
const endpointOf = (channel: string | undefined) =>
  `${apiPrefix}${uploadsPath}${channel === undefined ? '' : `?${new URLSearchParams({ channel })}`}`

const addressOf = (uploadId: string) => `${apiPrefix}${uploadsPath}/${uploadId}`

/**
 * Sends a file in chunks by tus and returns the id of the complete upload. Received chunks are never sent again: not after
 * a network failure or a server restart, nor after closing the browser if the same file is chosen within a day. Rejects
 * with ApiError for a rejected request, TypeError for a lost network, AbortError when aborted.
 */
export async function transferFile(
  file: File,
  { signal, uploadId, channel, replaces, stallMs, onSent, onInterrupted, onCreated }: TransferOptions,
): Promise<string> {
  signal.throwIfAborted()
  const { Upload } = await import('tus-js-client')
  // The transfer may have been aborted during the import.
  signal.throwIfAborted()
  let upload: Upload | undefined
  let stalls: ReturnType<typeof watchStalls> | undefined
  try {
    return await new Promise<string>((resolve, reject) => {
      const sending = new Upload(file, {
        endpoint: endpointOf(channel),
        ...(uploadId && { uploadUrl: addressOf(uploadId) }),
        chunkSize: CHUNK_BYTES,
        retryDelays: RETRY_DELAYS_MS,
        metadata: { ...metadataOf(file), ...(replaces && { replaces }) },
        onProgress: (sentBytes, totalBytes) => {
          stalls?.onSent(sentBytes)
          onSent(sentBytes, totalBytes)
        },
        onUploadUrlAvailable: () => onCreated?.(idOf(sending)),
        onShouldRetry: (error) => {
          const willRetry = isTransient(error.originalResponse)
          if (willRetry) onInterrupted?.()
          return willRetry
        },
        onSuccess: () => resolve(idOf(sending)),
        onError: reject,
      })
      upload = sending
      const repeat = () => {
        onInterrupted?.()
        void sending.abort().then(() => signal.aborted || sending.start())
      }
      stalls = watchStalls({ repeat, giveUp: () => reject(new TypeError('Connection lost')) }, stallMs)
      signal.addEventListener('abort', () =>
        reject(new DOMException(t`The upload was aborted`, 'AbortError')),
      )
      void startOrResume(sending, signal)
    })
  } catch (error) {
    await upload?.abort().catch(() => {})
    const reason = await failureOf(error)
    if (isNotFound(reason)) await forgetUpload(file, channel)
    throw reason
  } finally {
    stalls?.stop()
  }
}

/** Creates an upload without its bytes, which `transferFile` sends later, and returns its id. */
export async function createUpload(file: File, channel?: string): Promise<string> {
  const { Upload } = await import('tus-js-client')
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: endpointOf(channel),
      metadata: metadataOf(file),
      retryDelays: null,
      onUploadUrlAvailable: () => {
        void upload.abort()
        resolve(idOf(upload))
      },
      onError: reject,
    })
    upload.start()
  })
}

/** Deletes an upload with its bytes. If that fails, the server deletes it when it expires. */
export async function discardUpload(
  file: File | undefined,
  uploadId: string | undefined,
  channel?: string,
): Promise<void> {
  if (file) await forgetUpload(file, channel)
  if (!uploadId) return
  const { Upload } = await import('tus-js-client')
  await Upload.terminate(addressOf(uploadId), { retryDelays: RETRY_DELAYS_MS }).catch(() => undefined)
}

/** Removes the stored URL of an upload that was published or no longer exists, so that it is not resumed. */
export async function forgetUpload(file: File, channel?: string): Promise<void> {
  const { Upload } = await import('tus-js-client')
  const upload = new Upload(file, { endpoint: endpointOf(channel) })
  const { urlStorage } = upload.options
  // Blocked browser storage stores no URLs.
  for (const { urlStorageKey } of await upload.findPreviousUploads().catch(() => []))
    await urlStorage?.removeUpload(urlStorageKey)
}

async function startOrResume(upload: Upload, signal: AbortSignal): Promise<void> {
  // Blocked browser storage: the upload starts from the beginning.
  const [previous] = upload.options.uploadUrl ? [] : await upload.findPreviousUploads().catch(() => [])
  if (signal.aborted) return
  if (previous) upload.resumeFromPreviousUpload(previous)
  upload.start()
}

function idOf({ url }: Upload): string {
  return new URL(url ?? '', location.href).pathname.split('/').at(-1) ?? ''
}
