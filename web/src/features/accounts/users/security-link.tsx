import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { buttonClass } from '../../../ui/button.tsx'
import styles from './edit-form.module.css'

/** The way from the profile to the page about security. */
export function SecurityLink() {
  return (
    <section className={styles['form']} aria-labelledby="security">
      <h3 id="security">{t`Security`}</h3>
      <p className={styles['note']}>{t`How you sign in, and the devices that are signed in.`}</p>
      <Link
        className={buttonClass('quiet', styles['save'])}
        to={paths.account('security')}
      >{t`Security and devices`}</Link>
    </section>
  )
}
