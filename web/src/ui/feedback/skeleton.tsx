import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import styles from './skeleton.module.css'

/** Static placeholder for loading content. */
export function Skeleton({
  width,
  height,
  round = false,
  className,
}: {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  round?: boolean
  className?: string | undefined
}) {
  return (
    <span
      aria-hidden="true"
      className={clsx(styles['skeleton'], round && styles['round'], className)}
      style={{ width, height }}
    />
  )
}
