import { t } from '@lingui/core/macro'
import type { DetailedOwnVideo } from '@kinora/contract/videos/studio.ts'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import styles from './takedown-note.module.css'

/** Why moderators took a video down, with the decision, which its owner may answer. Renders nothing for other videos. */
export function TakedownNote({ video: { processing, takedownReportId } }: { video: DetailedOwnVideo }) {
  if (processing.state !== 'taken_down') return null
  return (
    <p className={styles['note']}>
      <span dir="auto">{t`Taken down: ${processing.reason ?? ''}`}</span>{' '}
      {takedownReportId !== null && (
        <Link to={paths.report(takedownReportId)}>{t`Read the decision and answer`}</Link>
      )}
    </p>
  )
}
