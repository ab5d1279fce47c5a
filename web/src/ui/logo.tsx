import { defaultSettings } from '@kinora/contract/settings.ts'
import { clsx } from 'clsx'
import { useSettings } from '../lib/settings.ts'
import styles from './logo.module.css'

/** The logo of the site, or that of Kinora: a stem and four leaves fanned from one hinge, forming a K. */
export function Mark({ className }: { className?: string | undefined }) {
  const { siteLogo } = useSettings()
  const classes = clsx(styles['mark'], className)
  if (siteLogo !== null) return <img className={classes} src={siteLogo} alt="" />
  return (
    <svg data-mark className={classes} viewBox="0 0 23 30" aria-hidden="true">
      <rect className={styles['arm']} x="1.6" y="2.6" width="4.4" height="24.8" rx="1.2" />
      <rect
        className={styles['arm']}
        x="7.2"
        y="12.9"
        width="16.2"
        height="4.2"
        rx="1.2"
        transform="rotate(-46 6.6 15)"
      />
      <rect
        className={styles['arm']}
        x="7.2"
        y="12.9"
        width="16.2"
        height="4.2"
        rx="1.2"
        transform="rotate(46 6.6 15)"
      />
      <rect
        className={styles['leaf']}
        x="12.8"
        y="13.5"
        width="9.6"
        height="3"
        rx="1.2"
        transform="rotate(-15 6.6 15)"
      />
      <rect
        className={styles['leaf']}
        x="12.8"
        y="13.5"
        width="9.6"
        height="3"
        rx="1.2"
        transform="rotate(15 6.6 15)"
      />
    </svg>
  )
}

/** The name of the site; "Kinora" is outlined, so that it never waits for a font. */
export function Wordmark({ className }: { className?: string | undefined }) {
  const { siteName } = useSettings()
  if (siteName !== defaultSettings.siteName)
    return (
      <span className={clsx(styles['name'], className)} aria-hidden="true">
        {siteName}
      </span>
    )
  return <span data-wordmark className={clsx(styles['word'], className)} aria-hidden="true" />
}
