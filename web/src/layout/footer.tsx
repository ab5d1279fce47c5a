import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import styles from './footer.module.css'
import { SiteLinks } from './site-links.tsx'

/** One quiet line at the end of every page. */
export function Footer({ className }: { className?: string | undefined }) {
  return (
    <footer className={clsx(styles['footer'], className)}>
      <SiteLinks className={styles['links']} />
      <span>{t`Self-hosted with Kinora.`}</span>
    </footer>
  )
}
