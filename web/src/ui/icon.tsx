import type { LucideIcon } from 'lucide-react'

/** A line icon beside or instead of a text that names it; hidden from screen readers. */
export function Icon({
  of: Shape,
  size = 20,
  isFilled = false,
  className,
}: {
  of: LucideIcon
  size?: number
  /** A solid shape, legible over pictures. */
  isFilled?: boolean
  className?: string | undefined
}) {
  return (
    <Shape
      size={size}
      strokeWidth={1.75}
      {...(isFilled && { fill: 'currentColor' })}
      aria-hidden="true"
      focusable="false"
      className={className}
    />
  )
}
