import { createReadStream } from 'node:fs'
import path from 'node:path'
import { parseResponse } from '@kinora/contract/client.ts'
import { uploadsPath } from '@kinora/contract/constants.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { type DetailedError, type HttpResponse, Upload } from 'tus-js-client'

/** Chunk size: below the body limits of common proxies, large enough to keep requests few. */
const chunkBytes = 32 * 1024 * 1024

/** Backoff after consecutive failures; gives up after about ten minutes without progress. */
const retryDelaysMs = [500, 1000, 2000, 4000, 8000, ...Array.from({ length: 40 }, () => 15_000)]

/**
 * Sends a file by tus and returns the URL of the complete upload. Continues the upload at `uploadUrl` if the site still has
 * it. Throws ApiError for a rejected request, TypeError for a lost network.
 */
export async function sendFile(
  file: string,
  {
    site,
    headers,
    uploadUrl,
    onCreated,
    onSent,
    onInterrupted,
  }: {
    site: string
    headers: Record<string, string>
    uploadUrl: string | undefined
    onCreated: (uploadUrl: string) => Promise<void>
    onSent: (sentBytes: number, totalBytes: number) => void
    onInterrupted: () => void
  },
): Promise<string> {
  try {
    return await new Promise<string>((resolve, reject) => {
      const upload = new Upload(createReadStream(file), {
        endpoint: `${site}${apiPrefix}${uploadsPath}`,
        ...(uploadUrl !== undefined && { uploadUrl }),
        headers,
        chunkSize: chunkBytes,
        retryDelays: retryDelaysMs,
        metadata: { filename: path.basename(file) },
        storeFingerprintForResuming: false,
        onUploadUrlAvailable: () => void onCreated(upload.url ?? '').catch(reject),
        onProgress: onSent,
        onShouldRetry: ({ originalResponse }) => {
          const willRetry = isTransient(originalResponse)
          if (willRetry) onInterrupted()
          return willRetry
        },
        onSuccess: () => resolve(upload.url ?? ''),
        onError: reject,
      })
      upload.start()
    })
  } catch (error) {
    throw await failureOf(error)
  }
}

/** Failures of the network and those that end by themselves; a 429 without `Retry-After` does not. */
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
