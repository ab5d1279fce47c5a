/** Widths in pixels in which each kind of picture is stored, smallest first. */
export const pictureWidths = {
  avatar: [80, 160, 320],
  cover: [640, 1280, 2560],
  thumbnail: [320, 640, 1280],
} as const

export type PictureKind = keyof typeof pictureWidths

/** The accepted formats of profile and cover pictures, for messages and hints. */
export const pictureFormats = 'JPEG, PNG, WebP, GIF or AVIF'

/** The width of a plain URL field (`avatar`, `coverImage`, `thumbnail`). */
export const pictureDefaultWidth = { avatar: 160, cover: 1280, thumbnail: 640 } as const

/** `sizes` of the large first thumbnail of the home page; the server preloads it with the same value. */
export const leadThumbnailSizes = '(min-width: 1200px) 42vw, (min-width: 640px) 54vw, 100vw'

/** `sizes` of a thumbnail in a grid; the server preloads the first one of a channel with the same value. */
export const cardThumbnailSizes =
  '(min-width: 1800px) 16vw, (min-width: 1200px) 24vw, (min-width: 640px) 44vw, 100vw'

/**
 * Width of the poster of a player, by media query. The server preloads it and the skeleton shows it, so it must be the one
 * that the player requests. The second query is the opposite of the first.
 */
export const posters = [
  { media: '(min-width: 640px)', width: 1280 },
  { media: 'not all and (min-width: 640px)', width: 640 },
] as const

/** `/media/pictures/{id}/{width}.{webp|jpg}`; the bytes of an id never change. */
export function pictureUrl(id: string, width: number, format: 'webp' | 'jpg' = 'webp'): string {
  return `/media/pictures/${id}/${width}.${format}`
}

/** The URL of a picture in another width; other URLs are unchanged. */
export function pictureInWidth(url: string, width: number): string {
  return url.replace(/^(.*\/media\/pictures\/[^/]+\/)\d+(\.(?:webp|jpg))$/, `$1${width}$2`)
}

/** The `srcset` for the URL of a picture; undefined for other URLs. */
export function pictureSrcSet(url: string, kind: PictureKind): string | undefined {
  const match = /^(.*\/media\/pictures\/[^/]+\/)\d+\.(webp|jpg)$/.exec(url)
  if (!match) return undefined
  return pictureWidths[kind].map((width) => `${match[1]}${width}.${match[2]} ${width}w`).join(', ')
}

/** The picture of a URL of `pictureUrl`. */
export const pictureIdOfUrl = (url: string) => url.split('/')[3] ?? ''
