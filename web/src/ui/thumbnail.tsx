import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import { clsx } from 'clsx'
import covered from './covered.module.css'

/** The thumbnail of a video in a list, loaded once it is near. `sizes` is its width on the page. */
export function Thumbnail({
  src,
  sizes,
  isCovered = false,
  className,
}: {
  src: string
  sizes: string
  /** Whether it is blurred, because the video is sensitive. */
  isCovered?: boolean
  className?: string | undefined
}) {
  return (
    <img
      className={clsx(className, isCovered && covered['covered'])}
      src={src}
      srcSet={pictureSrcSet(src, 'thumbnail')}
      sizes={sizes}
      width={640}
      height={360}
      alt=""
      loading="lazy"
      decoding="async"
    />
  )
}
