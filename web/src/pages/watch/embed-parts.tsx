import type { ReactNode } from 'react'
import { Mark } from '../../ui/logo.tsx'
import styles from './embed-page.module.css'

/** In place of a player that is not shown: why, and a link that opens the page or the site. */
export function MissingEmbed({ href, link, children }: { href: string; link: string; children: ReactNode }) {
  return (
    <div className={styles['missing']}>
      <Mark className={styles['mark']} />
      <p>{children}</p>
      <a href={href} target="_blank" rel="noopener">
        {link}
      </a>
    </div>
  )
}

/** The title over an embedded player, which opens its page. */
export function EmbedTitle({
  href,
  title,
  children,
}: {
  href: string
  title: string
  /** A mark before it. */
  children?: ReactNode
}) {
  return (
    <a className={styles['title']} href={href} target="_blank" rel="noopener">
      {children}
      <span>{title}</span>
    </a>
  )
}
