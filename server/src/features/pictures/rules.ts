import { type PictureKind, pictureWidths } from '@kinora/contract/pictures.ts'

/** What an uploaded picture may be, in sharp's words. Thumbnails are JPEG or PNG by the specification. */
const formats: Record<PictureKind, readonly string[]> = {
  avatar: ['jpeg', 'png', 'webp', 'gif', 'heif'],
  cover: ['jpeg', 'png', 'webp', 'gif', 'heif'],
  thumbnail: ['jpeg', 'png'],
}

export function isAllowedFormat(kind: PictureKind, format: string | undefined): boolean {
  return format !== undefined && formats[kind].includes(format)
}

/** The box that a size must fit into. Avatars are square; the others keep their shape up to twice as tall as wide. */
export function boxOf(kind: PictureKind, width: number): { width: number; height: number } {
  return { width, height: kind === 'avatar' ? width : 2 * width }
}

export type PictureFormat = 'webp' | 'jpg'

const pictureWidthsOfAll = new Set<number>(Object.values(pictureWidths).flat())

export const picturesPrefix = 'pictures/'

/** Where all files of a picture are stored. */
export const picturePrefix = (id: string) => `${picturesPrefix}${id}/`

/** The picture that a stored file belongs to. */
export const pictureIdOf = (key: string) => key.slice(picturesPrefix.length).split('/', 1)[0] ?? ''

export const pictureKey = (id: string, width: number, format: PictureFormat) =>
  `${picturePrefix(id)}${width}.${format}`

const filePattern = /^(\d{1,4})\.(webp|jpg)$/

/** The stored file that an address names; undefined for one that no picture can have. */
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
