import { t } from '@lingui/core/macro'
import styles from './live-bar.module.css'

/** In place of the state of a stream that has ended while its page was open: the recording follows it. */
export function RecordingNote() {
  return <p className={styles['bar']} role="status">{t`The stream has ended. This is its recording.`}</p>
}
