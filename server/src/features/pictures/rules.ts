import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { type Failure } from '@kinora/contract/failure.ts'
import { type PictureKind, pictureWidths } from '@kinora/contract/pictures.ts'
import type { PictureRefusal, PictureRefused, PictureSender } from '@kinora/media/pictures/encode-picture.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { type StorageKey, storagePrefixes } from '../../context/storage-keys.ts'

/** The key by which decoders are shared: an account, or for registrations an address. */
export function pictureSender(ip: string, account?: string): PictureSender {
  return { address: addressKey(ip), ...(account === undefined ? {} : { account }) }
}

/** Accepted picture formats, by sharp's names. The specification limits thumbnails to JPEG and PNG. */
const formats: Record<PictureKind, readonly string[]> = {
  avatar: ['jpeg', 'png', 'webp', 'gif', 'heif'],
  cover: ['jpeg', 'png', 'webp', 'gif', 'heif'],
  thumbnail: ['jpeg', 'png'],
}

export const formatsOf = (kind: PictureKind) => formats[kind]

/** The error for the sender of a refused picture; `failure` is for a file that is no picture. */
export function refusalOf(
  refused: PictureRefused,
  { failure, maxMegapixels }: { failure: Failure; maxMegapixels: number },
): AppError {
  if (refused.reason === 'too_many_pixels')
    return new AppError(videoErrors.pictureTooManyPixels, { limit: maxMegapixels }, { cause: refused })
  const failures: Record<Exclude<PictureRefusal, 'too_many_pixels'>, Failure> = {
    no_picture: failure,
    too_many_scans: videoErrors.pictureTooManyScans,
    too_costly: videoErrors.pictureTooCostly,
  }
  return new AppError(failures[refused.reason], { cause: refused })
}

export type PictureFormat = 'webp' | 'jpg'

const pictureWidthsOfAll = new Set<number>(Object.values(pictureWidths).flat())

/** Storage prefix of a picture's files. */
export const picturePrefix = (id: string): StorageKey => `${storagePrefixes.pictures}${id}/`

/** The picture that a stored file belongs to. */
export const pictureIdOf = (key: string) => key.slice(storagePrefixes.pictures.length).split('/', 1)[0] ?? ''

export const pictureKey = (id: string, width: number, format: PictureFormat) =>
  `${picturePrefix(id)}${width}.${format}`

const filePattern = /^(\d{1,4})\.(webp|jpg)$/

/** The stored file of a URL; undefined for impossible names. */
export function parsePictureFile(
  id: string,
  file: string,
): { key: string; type: 'image/webp' | 'image/jpeg' } | undefined {
  const [, width, format] = filePattern.exec(file) ?? []
  if (!/^\w{1,64}$/.test(id) || !pictureWidthsOfAll.has(Number(width))) return undefined
  return {
    key: `${picturePrefix(id)}${file}`,
    type: format === 'webp' ? 'image/webp' : 'image/jpeg',
  }
}

const sweepLimit = { count: 20, share: 0.1 }

/** Whether a sweep would delete more than killed processes leave behind: over twenty pictures, and a tenth of all. */
export function isSuspiciousSweep(unknown: number, total: number): boolean {
  return unknown > sweepLimit.count && unknown > total * sweepLimit.share
}
