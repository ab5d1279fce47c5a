import { pageOf } from '../../paths.ts'

/** A picture that the head of the page preloads, and the media query it is for. */
export interface PreloadedImageSource {
  srcSet: string
  sizes: string | undefined
  media: string | undefined
}

const page = typeof location === 'undefined' ? undefined : pageOf(location.pathname)

/**
 * The preloaded pictures, which the skeleton in the HTML shows already. They stay until the data arrives. Empty after
 * navigation.
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
