import { preloadedImages } from '../lib/browser/preloaded-images.ts'

/** In a skeleton the picture that is known before everything else. The server puts it into the skeletons that the build makes. */
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
