import { pageOf } from '../../paths.ts'

/** A picture that the head of the page announces, and for which width of the page. */
export interface PreloadedImageSource {
  srcSet: string
  sizes: string | undefined
  media: string | undefined
}

const page = typeof location === 'undefined' ? undefined : pageOf(location.pathname)

/**
 * The picture that the server had fetched first, in its widths: shown already by the skeleton in the HTML, it stays while
 * the data is on its way. None on any page but the one that was loaded.
 */
export function preloadedImages(): PreloadedImageSource[] {
  if (page === undefined || page !== pageOf(location.pathname)) return []
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="image"]')
  return Array.from(links, ({ imageSrcset, imageSizes, media }) => ({
    srcSet: imageSrcset,
    sizes: imageSizes || undefined,
    media: media || undefined,
  }))
}

/** The one among them for the width that the page has now. */
export function preloadedPoster(): string | undefined {
  return preloadedImages().find(({ media }) => !media || matchMedia(media).matches)?.srcSet
}
