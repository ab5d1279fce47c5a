import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import styles from './edit-form.module.css'

/** The way from the profile to the page about security. */
export function SecurityLink() {
  return (
    <section className={styles['form']} aria-labelledby="security">
      <h3 id="security">Security</h3>
      <p className={styles['note']}>How you sign in, and the devices that are signed in.</p>
      <Link className={buttonClass('quiet', styles['save'])} to={paths.account()}>
        Security and devices
      </Link>
    </section>
  )
}
