import { ApiError, call, parseResponse } from '@kinora/contract/client.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { uploadsPath } from '@kinora/contract/constants.ts'
import { publishUpload } from '@kinora/contract/calls.ts'
import type { DetailedError, HttpResponse, Upload } from 'tus-js-client'
import { publicationFormOf, type SendUpload } from './upload-draft.ts'

/** Chunk size: below the body limits of common proxies, large enough to keep requests few. */
const CHUNK_BYTES = 32 * 1024 * 1024

/** Backoff after consecutive failures; gives up after about ten minutes without progress. */
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, ...Array.from({ length: 40 }, () => 15_000)]

/**
 * Sends the video in chunks by tus, then publishes it. Received chunks are never sent again, not after a network failure or
 * a server restart, nor after closing the browser if the same file is chosen within a day.
 */
export const sendResumably: SendUpload = async (draft, { signal, onSent, onInterrupted }) => {
  signal.throwIfAborted()
  const { Upload } = await import('tus-js-client')
  // The upload may have been cancelled during the import.
  signal.throwIfAborted()
  let upload: Upload | undefined
  try {
    const sent = await new Promise<Upload>((resolve, reject) => {
      const sending = new Upload(draft.video, {
        endpoint: `${apiPrefix}${uploadsPath}`,
        chunkSize: CHUNK_BYTES,
        retryDelays: RETRY_DELAYS_MS,
        metadata: { filename: draft.video.name, filetype: draft.video.type },
        onProgress: onSent,
        onShouldRetry: (error) => {
          const willRetry = isTransient(error.originalResponse)
          if (willRetry) onInterrupted?.()
          return willRetry
        },
        onSuccess: () => resolve(sending),
        onError: reject,
      })
      upload = sending
      signal.addEventListener('abort', () => reject(abortError()))
      void startOrResume(sending, signal)
    })
    signal.throwIfAborted()
    const video = await call(publishUpload, {
      params: { id: idOf(sent) },
      body: publicationFormOf(draft),
      signal,
    })
    await forget(sent)
    return video
  } catch (error) {
    // A cancelled upload is deleted from the server; after a failed deletion it expires there. A failed upload is kept,
    // so that it can be resumed.
    if (signal.aborted) await upload?.abort(true).catch(() => {})
    const reason = await failureOf(error)
    if (reason instanceof ApiError && reason.status === 404) await forget(upload)
    throw reason
  }
}

async function startOrResume(upload: Upload, signal: AbortSignal): Promise<void> {
  // Blocked browser storage: the upload starts from the beginning.
  const [previous] = await upload.findPreviousUploads().catch(() => [])
  if (signal.aborted) return
  if (previous) upload.resumeFromPreviousUpload(previous)
  upload.start()
}

/** Removes the stored URL of an upload that was published or no longer exists, so that it is not resumed. */
async function forget(upload: Upload | undefined): Promise<void> {
  const { urlStorage } = upload?.options ?? {}
  for (const { urlStorageKey } of (await upload?.findPreviousUploads()) ?? [])
    await urlStorage?.removeUpload(urlStorageKey)
}

/**
 * Network failures and 5xx are retried, as are 409 and 423 (locked) and 429 with `Retry-After`. A 429 without it means too
 * many unfinished uploads, which a retry does not change.
 */
function isTransient(response: HttpResponse | null | undefined): boolean {
  const status = response?.getStatus() ?? 0
  if (status === 429) return Boolean(response?.getHeader('retry-after'))
  return status === 0 || status >= 500 || [408, 409, 423].includes(status)
}

/** Converts an error of tus-js-client: an ApiError for a rejected request, a TypeError for a lost network. */
async function failureOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'originalResponse' in error)) return error
  const response = (error as DetailedError).originalResponse
  const status = response?.getStatus() ?? 0
  if (!response || status === 0) return new TypeError('Connection lost', { cause: error })
  return parseResponse(new Response(response.getBody(), { status })).then(
    () => error,
    (refusal: unknown) => refusal,
  )
}

function idOf({ url }: Upload): string {
  return new URL(url ?? '', location.href).pathname.split('/').at(-1) ?? ''
}

function abortError(): DOMException {
  return new DOMException('The upload was aborted', 'AbortError')
}
