import type { LucideIcon } from 'lucide-react'

/** A line icon beside or instead of a text that names it; hidden from screen readers. */
export function Icon({
  of: Shape,
  size = 20,
  className,
}: {
  of: LucideIcon
  size?: number
  className?: string | undefined
}) {
  return <Shape size={size} strokeWidth={1.75} aria-hidden="true" focusable="false" className={className} />
}
