import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './back-link.module.css'
import { Icon } from './icon.tsx'

/** The way back to the list that a page belongs to. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className={styles['back']} to={to}>
      <Icon of={ChevronLeft} size={18} />
      {children}
    </Link>
  )
}
