import { t } from '@lingui/core/macro'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { RecordStudio } from '../../features/videos/uploads/recording/record-studio.tsx'
import { UnfinishedRecordings } from '../../features/videos/uploads/recording/unfinished-recordings.tsx'
import { useRecordingSession } from '../../features/videos/uploads/recording/use-recording-session.ts'
import { canRecord } from '../../lib/capture/can-record.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './studio-page.module.css'

/** Records a screen, a camera and a microphone, without a program besides the browser. */
export function RecordPage() {
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={t`Record`} />
      <h1 className={styles['heading']}>{t`Record`}</h1>
      <UnfinishedRecordings />
      {canRecord() ? (
        <Recording />
      ) : (
        <EmptyState
          title={t`This browser cannot record`}
          text={t`Recording needs a secure connection (HTTPS) and a current Chrome, Edge, Firefox or Safari.`}
        />
      )}
    </MembersOnly>
  )
}

function Recording() {
  const session = useRecordingSession()
  return session && <RecordStudio session={session} />
}
