import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { approval, removal } from '../../features/operations/administration/comments/comment-actions.ts'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { usePersonActions } from '../../features/operations/administration/people/use-person-actions.tsx'
import { useReportActions } from '../../features/operations/administration/reports/use-report-actions.tsx'
import { Queue } from '../../features/operations/administration/to-decide/queue.tsx'
import { useWaiting } from '../../features/operations/administration/to-decide/use-waiting.ts'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { useVideoActions } from '../../features/operations/administration/use-video-actions.tsx'
import { formatFullCount } from '../../lib/format/counts.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import entryListStyles from '../../features/operations/administration/entry-list.module.css'
import styles from './sections.module.css'

/** Reports, comments, accounts and videos that wait for a decision, in one queue. */
export function ToDecidePage() {
  const { authData } = useAuth()
  const { entries, total, isPending, isError, refetch } = useWaiting()
  const { act, notice } = useActions()
  const reports = useReportActions(act)
  const people = usePersonActions(act)
  const videos = useVideoActions(act)
  const isAdministrator = hasRole(authData?.role ?? 'member', 'administrator')
  const later = total - entries.length
  return (
    <section aria-labelledby="to-decide">
      <PageTitle title={t`To decide · Administration`} />
      <h2 className={entryListStyles['heading']} id="to-decide" tabIndex={-1}>
        {t`To decide`} {!isPending && <small>{formatFullCount(total)}</small>}
      </h2>
      <NoticeBar
        notice={notice}
        hint={entries.length > 0 ? t`Keys: J next, K previous, A approve, D dismiss, R remove.` : undefined}
      />
      {isPending && !isError && <Skeleton className={styles['skeleton']} height={240} />}
      {isError && <LoadFailure title={t`Could not load the list`} onRetry={refetch} />}
      {!isPending && !isError && entries.length === 0 && (
        <EmptyState
          title={t`All decided`}
          text={t`Reports, comments, accounts and videos that wait for a decision appear here.`}
        />
      )}
      {entries.length > 0 && (
        <Queue
          entries={entries}
          decisions={{
            dismissReport: reports.dismiss,
            removeReported: reports.remove,
            approveComment: (comment) => act(approval([comment])),
            removeComment: ({ _id }) => act(removal([_id])),
            approveAccount: people.toggleSuspension,
            deleteAccount: isAdministrator ? people.deletePerson : undefined,
            approveVideo: videos.approve,
            takeDownVideo: videos.takeDown,
          }}
        />
      )}
      {later > 0 && <p className={styles['later']}>{t`${formatFullCount(later)} more follow.`}</p>}
      {reports.dialog}
      {people.dialogs}
      {videos.dialogs}
    </section>
  )
}
