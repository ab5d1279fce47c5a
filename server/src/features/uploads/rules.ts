import type { ErrorCode } from '@kinora/contract/errors.ts'
import type { TextLimits } from '@kinora/contract/settings.ts'
import { UploadFields, fileTypeErrors } from '@kinora/contract/videos.ts'
import { SourceRefused } from '../../media/source/source-info.ts'
import { isDiskFull } from '../../platform/files/disk-full.ts'
import { DiskShort } from '../../platform/files/disk-space.ts'
import { AppError } from '../../platform/errors.ts'
import type { ReceivedFile } from '../../platform/http/bodies/form.ts'
import { parseInput } from '../../platform/http/routing/parse-input.ts'
import { QuotaExceeded } from './actions/quota.ts'
import { sourcesPrefix } from '../videos/rules.ts'

const label = { video: 'Video', thumbnail: 'Thumbnail' } as const

/** The text fields of an upload. Throws `invalid` with every field that is missing or wrong. */
export function parseUploadFields(
  fields: Record<string, string>,
  limits: TextLimits,
): { title: string; description: string; keepsMetadata: boolean } {
  const { keepMetadata, ...texts } = parseInput(UploadFields, fields, limits)
  return { ...texts, keepsMetadata: keepMetadata === 'true' }
}

/** A file of the form. Throws `invalid` when it was not sent; a browser sends an empty one for an empty field. */
export function requireFile(files: Record<string, ReceivedFile>, field: 'video' | 'thumbnail'): ReceivedFile {
  const file = files[field]
  if (!file || (file.sizeBytes === 0 && !file.filename)) {
    throw refusal(field, `${label[field]} is required`)
  }
  if (file.sizeBytes === 0) throw refusal(field, fileTypeErrors[field])
  return file
}

/** Says to the sender which of the files is wrong, and why; what is not about the files stays as it is. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof SourceRefused) return refusal('video', error.message, error)
  // of all that is done with the files, only reading the picture refuses input
  if (error instanceof AppError && error.code === 'invalid') return refusal('thumbnail', error.message, error)
  return error
}

function refusal(field: 'video' | 'thumbnail', message: string, cause?: unknown): AppError {
  return new AppError('invalid', message, { errors: [{ path: field, message }], cause })
}

/** The reason under which a refused upload is counted. */
export function reasonOfRejection(error: AppError): string {
  if (error instanceof QuotaExceeded) return 'quota'
  if (error instanceof DiskShort || isDiskFull(error.cause)) return 'disk'
  const [field] = error.errors
  if (field?.path === 'video' || field?.path === 'thumbnail') return field.path
  return error.code
}

/** Where a source is stored; `attempt` makes the name new, so that no two attempts meet in one place. */
export const sourceKeyOf = (videoId: string, attempt: string) => `${sourcesPrefix}${videoId}/${attempt}`

/** Where the tails of unfinished uploads are. */
export const tailsPrefix = 'unfinished/'

export const tailsOf = (uploadId: string) => `${tailsPrefix}${uploadId}/`

/** The bytes of an upload after its last whole part, as one request left them. */
export const tailKeyOf = (uploadId: string, writer: string) => `${tailsOf(uploadId)}${writer}`

export const uploadIdOfTail = (key: string) => key.slice(tailsPrefix.length).split('/', 1)[0] ?? ''

/** Ids are ours; anything else names no upload. */
export const isUploadId = (id: string) => /^\w{1,64}$/.test(id)

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
