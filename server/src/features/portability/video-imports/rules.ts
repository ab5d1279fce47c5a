import type { IncomingHttpHeaders } from 'node:http'
import { StoredCause } from '@kinora/contract/cause.ts'
import { errors } from '@kinora/contract/errors.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { hasVisibleText } from '@kinora/contract/characters.ts'
import { formatSizeLimit } from '@kinora/contract/settings.ts'
import { UploadVisibility } from '@kinora/contract/videos/uploads.ts'
import type { VideoImport } from '@kinora/contract/portability/video-imports.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { DiskFullError } from '@kinora/platform/files/disk-space.ts'
import { QuotaExceeded } from '../../videos/uploads/actions/quota.ts'
import type { VideoImportRow } from './queries.ts'

/** Imports that an account sees. */
export const keptImports = 20

/** The response shape of an import. */
export function toVideoImport(row: VideoImportRow): VideoImport {
  const { id, url, title, visibility, state, receivedBytes, sizeBytes, failure, cause, createdAt } = row
  return {
    _id: id,
    url,
    title,
    visibility: UploadVisibility.parse(visibility),
    state,
    receivedBytes,
    sizeBytes,
    failure,
    cause: StoredCause.parse(cause),
    createdAt: createdAt.toISOString(),
  }
}

/** A title for the file at an address: its name without the extension, or the host. */
export function titleOfAddress(address: string, maxCharacters: number): string {
  const { pathname, hostname } = new URL(address)
  const last = pathname.split('/').findLast((step) => step !== '') ?? ''
  const name = decoded(last)
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[\s_\p{Cc}]+/gu, ' ')
    .trim()
  return Array.from(hasVisibleText(name) ? name : hostname)
    .slice(0, maxCharacters)
    .join('')
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // Invalid percent-encoding.
    return step
  }
}

export const noMediaFile = () => new AppError(portabilityErrors.noMediaFile)

/** Throws the reason why a response has no media file. */
export function assertMedia(status: number, headers: IncomingHttpHeaders): void {
  if (status === 401 || status === 403) throw new AppError(portabilityErrors.fileAccessRefused)
  if (status === 404 || status === 410) throw new AppError(portabilityErrors.fileNotFound)
  if (status === 429 || status >= 500) throw new Error(`The server responded with status ${status}`)
  if (status !== 200 && status !== 206) throw new AppError(portabilityErrors.fileStatus, { status })
  if (/^(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '')) throw noMediaFile()
}

/** The whole size of a file by the headers of a response; undefined where they do not state it. */
export function sizeOfFile(status: number, headers: IncomingHttpHeaders): number | undefined {
  const text = status === 206 ? headers['content-range']?.split('/')[1] : headers['content-length']
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}

/** Whether a response continues a file at a byte. */
export const continuesAt = (status: number, headers: IncomingHttpHeaders, at: number) =>
  status === 206 && headers['content-range']?.startsWith(`bytes ${at}-`) === true

/** Strong validator of a file for `If-Range` (RFC 9110, 13.1.5). */
export function validatorOf({ etag, 'last-modified': modified }: IncomingHttpHeaders): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : modified
}

export const fileTooLarge = (maxBytes: number) =>
  new AppError(errors.fileTooLarge, { limit: formatSizeLimit(maxBytes) })

/** Whether a failure may pass: of the disk, a quota of all videos or a server, and not of the file or its address. */
export function isRetryable(error: AppError): boolean {
  if (error instanceof QuotaExceeded) return error.errors.length === 0
  return error instanceof DiskFullError || error.code === 'unavailable' || error.code === 'too_many_requests'
}
