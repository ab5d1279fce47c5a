import { t } from '@lingui/core/macro'
import { useSettings } from '../../../lib/settings.ts'
import styles from './other-format-help.module.css'

/** Help for a file of a format that the site does not accept. */
export function OtherFormatHelp() {
  const { siteContact } = useSettings()
  return (
    <p className={styles['help']}>
      {t`Convert the video to MP4, then choose the new file.`}{' '}
      {siteContact !== '' && t`Or ask the people who run this site to accept this format: ${siteContact}`}
    </p>
  )
}
