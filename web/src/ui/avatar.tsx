import { clsx } from 'clsx'
import { type CSSProperties, useState } from 'react'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import styles from './avatar.module.css'

/** Round profile picture, or the first letter of the name. Decorative, because the name is always next to it. */
export function Avatar({
  src,
  name,
  size = 40,
  className,
  lazy = false,
}: {
  src: string | null | undefined
  name: string | null | undefined
  size?: number
  className?: string | undefined
  /** Loads the image lazily, for long lists. */
  lazy?: boolean
}) {
  const [brokenSrc, setBrokenSrc] = useState<string>()
  // Destructuring splits by code point, so surrogate pairs stay whole.
  const [initial = ''] = name?.trim() ?? ''
  const style: CSSProperties = { width: size, height: size, fontSize: size * 0.44 }
  if (!src || src === brokenSrc) {
    return (
      <span className={clsx(styles['avatar'], className)} style={style} aria-hidden="true">
        {initial.toUpperCase()}
      </span>
    )
  }
  return (
    <img
      className={clsx(styles['avatar'], className)}
      style={style}
      src={src}
      srcSet={pictureSrcSet(src, 'avatar')}
      sizes={`${size}px`}
      width={size}
      height={size}
      alt=""
      decoding="async"
      loading={lazy ? 'lazy' : 'eager'}
      onError={() => setBrokenSrc(src)}
    />
  )
}
