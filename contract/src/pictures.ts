/** Widths in pixels in which each kind of picture is stored, smallest first. */
export const pictureWidths = {
  avatar: [80, 160, 320],
  cover: [640, 1280, 2560],
  thumbnail: [320, 640, 1280],
} as const

export type PictureKind = keyof typeof pictureWidths

/** The width that a plain URL field (`avatar`, `coverImage`, `thumbnail`) points at. */
export const pictureDefaultWidth = { avatar: 160, cover: 1280, thumbnail: 640 } as const

/** How wide the large first picture of the home page is shown; the server preloads it by the same words. */
export const leadPictureSizes = '(min-width: 1200px) 42vw, (min-width: 640px) 44vw, 100vw'

/** `/media/pictures/{id}/{width}.{webp|jpg}`; a picture's id is never used for other bytes. */
export function pictureUrl(id: string, width: number, format: 'webp' | 'jpg' = 'webp'): string {
  return `/media/pictures/${id}/${width}.${format}`
}

/** The `srcset` of a picture that one of its URLs names; undefined for any other URL. */
export function pictureSrcSet(url: string, kind: PictureKind): string | undefined {
  const match = /^(.*\/media\/pictures\/[^/]+\/)\d+\.(webp|jpg)$/.exec(url)
  if (!match) return undefined
  return pictureWidths[kind].map((width) => `${match[1]}${width}.${match[2]} ${width}w`).join(', ')
}
