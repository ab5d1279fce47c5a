import { preloadedImages } from '../lib/browser/preloaded-images.ts'

/**
 * The preloaded image of a skeleton. The build has no document: it renders a placeholder, in whose place the server puts the
 * image.
 */
export function PreloadedImage() {
  if (typeof document === 'undefined') return <img data-first-picture="" alt="" />
  const images = preloadedImages()
  if (images.length === 0) return null
  return (
    <picture>
      {images.map((image) => (
        <source key={image.srcSet} {...image} />
      ))}
      <img alt="" />
    </picture>
  )
}
