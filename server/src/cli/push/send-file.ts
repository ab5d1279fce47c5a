import { createReadStream } from 'node:fs'
import path from 'node:path'
import { uploadsPath } from '@kinora/contract/constants.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { failureOf, isTransient } from '@kinora/contract/videos/transfer-failures.ts'
import { watchStalls } from '@kinora/contract/videos/transfer-stalls.ts'
import { Upload } from 'tus-js-client'

/** Chunk size: below the body limits of common proxies, large enough to keep requests few. */
const chunkBytes = 32 * 1024 * 1024

/** Delay between an abort and the failure that the old request reports. */
const abortSettleMs = 100

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
    stallMs,
  }: {
    site: string
    headers: Record<string, string>
    uploadUrl: string | undefined
    onCreated: (uploadUrl: string) => Promise<void>
    onSent: (sentBytes: number, totalBytes: number) => void
    onInterrupted: () => void
    /** Time without progress after which a request is repeated. */
    stallMs?: number
  },
): Promise<string> {
  let stalls: ReturnType<typeof watchStalls> | undefined
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
        onProgress: (sentBytes, totalBytes) => {
          stalls?.onSent(sentBytes)
          onSent(sentBytes, totalBytes)
        },
        onShouldRetry: ({ originalResponse }) => {
          const willRetry = isTransient(originalResponse)
          if (willRetry) onInterrupted()
          return willRetry
        },
        onSuccess: () => resolve(upload.url ?? ''),
        onError: reject,
      })
      const repeat = () => {
        onInterrupted()
        void upload.abort()
        // otherwise tus-js-client would count the failure of the aborted request against the new one
        setTimeout(() => upload.start(), abortSettleMs)
      }
      const giveUp = () => {
        void upload.abort()
        reject(new TypeError('Connection lost'))
      }
      stalls = watchStalls({ repeat, giveUp }, stallMs)
      upload.start()
    })
  } catch (error) {
    throw await failureOf(error)
  } finally {
    stalls?.stop()
  }
}
