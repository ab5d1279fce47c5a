import type { CSSProperties } from 'react'
import { classNames } from '../../lib/class-names.ts'
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
      className={classNames(styles['skeleton'], round && styles['round'], className)}
      style={{ width, height }}
    />
  )
}
