import { clsx } from 'clsx'
import { Link } from 'react-router'
import { useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import styles from './footer.module.css'

/** One quiet line at the end of every page. */
export function Footer({ className }: { className?: string | undefined }) {
  const { siteName, hasRules } = useSettings()
  return (
    <footer className={clsx(styles['footer'], className)}>
      <div>
        <Link to={paths.about()}>About {siteName}</Link>
        {hasRules && <Link to={paths.rules()}>Rules</Link>}
        <Link to={paths.privacy()}>Privacy</Link>
        {/* The reference is a page of the server, not of this application. */}
        <a href={paths.apiDocs()}>API</a>
      </div>
      <span>Self-hosted with Kinora.</span>
    </footer>
  )
}
