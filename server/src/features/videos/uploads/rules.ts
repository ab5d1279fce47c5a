import { createHash } from 'node:crypto'
import type { ErrorCode } from '@kinora/contract/errors.ts'
import type { TextLimits } from '@kinora/contract/settings.ts'
import { publishUpload, UploadFields } from '@kinora/contract/videos/uploads.ts'
import { type Visibility } from '@kinora/contract/videos/videos.ts'
import { fileTypeErrors } from '@kinora/contract/constants.ts'
import { SourceRefused } from '@kinora/media/source/source-info.ts'
import { isDiskFull } from '@kinora/platform/files/disk-full.ts'
import { DiskFullError } from '@kinora/platform/files/disk-space.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { ReceivedFile } from '@kinora/platform/http/bodies/form.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { QuotaExceeded } from './actions/quota.ts'
import { type StorageKey, storagePrefixes } from '../../../context/storage-keys.ts'

const label = { video: 'Video', thumbnail: 'Thumbnail' } as const

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
  typeError: string = fileTypeErrors[field],
): ReceivedFile {
  const file = files[field]
  if (!file || (file.sizeBytes === 0 && !file.filename)) {
    throw refusal(field, `${label[field]} is required`)
  }
  if (file.sizeBytes === 0) throw refusal(field, typeError)
  return file
}

/** Adds the field of the wrong file to an error; other errors are returned unchanged. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof SourceRefused) return refusal('video', error.message, error)
  // of all work on the files, only reading the picture refuses input
  if (error instanceof AppError && error.code === 'invalid') return refusal('thumbnail', error.message, error)
  return error
}

function refusal(field: 'video' | 'thumbnail', message: string, cause?: unknown): AppError {
  return new AppError('invalid', message, { errors: [{ path: field, message }], cause })
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

export const continuedElsewhere = () => new AppError('conflict', 'Another request continues this upload')

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
  if (code === 'internal')
    return new AppError(code, 'Something went wrong on our side', { cause: new Error(text) })
  return new AppError(code, code === 'too_large' ? 'The file is too large' : text.trim())
}

/** The stored form of an Idempotency-Key, which may be of any length; undefined without one. */
export const hashOfKey = (key: string | string[] | undefined) =>
  key === undefined ? undefined : createHash('sha256').update(String(key)).digest('hex')
