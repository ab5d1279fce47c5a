import { announcedPictures } from '../lib/browser/preloaded-images.ts'

/** In a skeleton the picture that is known before everything else. The server puts it into the skeletons that the build makes. */
export function FirstPicture() {
  if (typeof document === 'undefined') return <img data-first-picture="" alt="" />
  const pictures = announcedPictures()
  if (pictures.length === 0) return null
  return (
    <picture>
      {pictures.map((picture) => (
        <source key={picture.srcSet} {...picture} />
      ))}
      <img alt="" />
    </picture>
  )
}
