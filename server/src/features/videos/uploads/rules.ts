import { createHash } from 'node:crypto'
import { errors } from '@kinora/contract/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { ErrorCode } from '@kinora/contract/failure.ts'
import type { TextLimits } from '@kinora/contract/settings.ts'
import { publishUpload, UploadFields } from '@kinora/contract/videos/uploads.ts'
import { type Visibility } from '@kinora/contract/videos/videos.ts'
import { areDefaultFormats, type FileFormat } from '@kinora/contract/videos/file-formats.ts'
import { listFormats } from '@kinora/contract/videos/format-details.ts'
import { SourceRefused } from '@kinora/media/source/source-info.ts'
import { isDiskFull } from '@kinora/platform/files/disk-full.ts'
import { DiskFullError } from '@kinora/platform/files/disk-space.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { ReceivedFile } from '@kinora/platform/http/bodies/form.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { QuotaExceeded } from './actions/quota.ts'
import { type StorageKey, storagePrefixes } from '../../../context/storage-keys.ts'

/** The error of a file in a format that the site does not accept. The product specification fixes that of the default formats. */
export function unacceptedFile(accepted: readonly FileFormat[]): AppError {
  if (areDefaultFormats(accepted)) return new AppError(videoErrors.fileTypes)
  const formats = listFormats(accepted, 'conjunction')
  return new AppError(accepted.length === 1 ? videoErrors.fileTypeOf : videoErrors.fileTypesOf, { formats })
}

/** Fields of the upload form. */
export interface UploadChoices {
  title: string
  description: string
  visibility: Visibility
  keepsMetadata: boolean
}

/** The text fields of an upload. Throws `invalid` with every field that is missing or wrong. */
export function parseUploadFields(fields: Record<string, string>, limits: TextLimits): UploadChoices {
  const { keepMetadata, visibility = 'public', ...texts } = parseInput(UploadFields, fields, limits)
  return { ...texts, visibility, keepsMetadata: keepMetadata === 'true' }
}

/** The text fields of a publication, whose description may be missing. */
export function parsePublicationFields(fields: Record<string, string>, limits: TextLimits): UploadChoices {
  const parsed = parseInput(publishUpload.body, fields, limits)
  const { keepMetadata, visibility = 'public', description = '', title } = parsed
  return { title, description, visibility, keepsMetadata: keepMetadata === 'true' }
}

/** A file of the form. Throws `invalid` if it was not sent; a browser sends an empty one for an empty field. */
export function requireFile(
  files: Record<string, ReceivedFile>,
  field: 'video' | 'thumbnail',
  typeError: AppError = new AppError(fileOf[field].typeError),
): ReceivedFile {
  const file = files[field]
  if (!file || (file.sizeBytes === 0 && !file.filename)) {
    throw new AppError(errors.required, { label: fileOf[field].label }, { path: field })
  }
  if (file.sizeBytes === 0) throw AppError.from(typeError, { path: field })
  return file
}

/** Adds the field of the wrong file to an error; other errors are returned unchanged. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof SourceRefused) return AppError.from(error.failure, { path: 'video', cause: error })
  // of all work on the files, only reading the picture refuses input
  if (error instanceof AppError && error.code === 'invalid')
    return AppError.from(error, { path: 'thumbnail', cause: error })
  return error
}

const fileOf = {
  video: { label: 'Video', typeError: videoErrors.fileTypes },
  thumbnail: { label: 'Thumbnail', typeError: videoErrors.pictureTypes },
}

/** The reason under which a rejected upload is counted. */
export function reasonOfRejection(error: AppError): string {
  if (error instanceof QuotaExceeded) return 'quota'
  if (error instanceof DiskFullError || isDiskFull(error.cause)) return 'disk'
  const [field] = error.errors
  if (field?.path === 'video' || field?.path === 'thumbnail') return field.path
  return error.code
}

/** Storage key of a source; `attempt` makes it unique, so that attempts do not collide. */
export const sourceKeyOf = (videoId: string, attempt: string): StorageKey =>
  `${storagePrefixes.sources}${videoId}/${attempt}`

export const tailsOf = (uploadId: string) => `${storagePrefixes.unfinished}${uploadId}/`

/** The bytes of an upload after its last complete part, as one request left them. */
export const tailKeyOf = (uploadId: string, writer: string) => `${tailsOf(uploadId)}${writer}`

export const uploadIdOfTail = (key: string) =>
  key.slice(storagePrefixes.unfinished.length).split('/', 1)[0] ?? ''

/** The format of our ids; other strings match no upload. */
export const isUploadId = (id: string) => /^\w{1,64}$/.test(id)

export const continuedElsewhere = () => new AppError(videoErrors.uploadContinued)

const codeOfTus: Record<number, ErrorCode> = {
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  500: 'internal',
}

/** Maps a rejection by the tus library to an error of the API. */
export function refusalOfTus(status: number, text: string): AppError {
  const code = codeOfTus[status] ?? 'invalid'
  if (code === 'internal') return new AppError(errors.internal, { cause: new Error(text) })
  if (code === 'too_large') return new AppError(videoErrors.uploadTooLarge)
  const { reason, message, params } = new AppError(videoErrors.uploadRefused, { text: text.trim() })
  return AppError.from({ code, reason, message, params })
}

/** Throws `invalid` for a header Upload-Length that is no number of bytes, as the tus library does. */
export function assertUploadLength(text: string | undefined): void {
  if (text === undefined || /^\d+$/.test(text)) return
  throw new AppError(videoErrors.uploadRefused, { text: 'Invalid upload-length' })
}

/** The stored form of an Idempotency-Key, which may be of any length; undefined without one. */
export const hashOfKey = (key: string | string[] | undefined) =>
  key === undefined ? undefined : createHash('sha256').update(String(key)).digest('hex')
