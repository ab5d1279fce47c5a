import { select, t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import type { OwnReport } from '@kinora/contract/operations/reports.ts'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { AnswerForm } from '../../features/operations/reports/answer-form.tsx'
import { ownReportQuery, useAnswerDecision } from '../../features/operations/reports/api.ts'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import styles from './report-page.module.css'

/** The decision about a report: for those who sent it, and for the person concerned, who may answer once. */
export function ReportPage() {
  const { reportId = '' } = useParams()
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={t`Decision`} />
      <ReportView key={reportId} id={reportId} />
    </MembersOnly>
  )
}

function ReportView({ id }: { id: string }) {
  const { data: report, error, refetch } = useQuery(ownReportQuery(id))
  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound()} replace />
  if (error && !report)
    return <LoadFailure title={t`Could not load the decision`} onRetry={() => void refetch()} />
  if (!report) return <Skeleton width="100%" height={160} />
  return (
    <section className={styles['report']} aria-labelledby="report">
      <h1 id="report">{headingOf(report)}</h1>
      <blockquote dir="auto">{report.title}</blockquote>
      {report.note !== '' && (
        <>
          <h2>{t`Reason`}</h2>
          <p className={styles['text']} dir="auto">
            {report.note}
          </p>
        </>
      )}
      {report.isConcerned && <Answer id={id} report={report} />}
    </section>
  )
}

/** Whole sentences, because languages differ in their genders and order. */
function headingOf({ kind, isConcerned, decision }: OwnReport): string {
  if (decision === null)
    return isConcerned
      ? select(kind, {
          video: 'The decision about your video was taken back',
          comment: 'The decision about your comment was taken back',
          other: 'The decision about your channel was taken back',
        })
      : select(kind, {
          video: 'Your report of a video waits for a decision',
          comment: 'Your report of a comment waits for a decision',
          clip: 'Your report of a clip waits for a decision',
          other: 'Your report of a channel waits for a decision',
        })
  if (decision === 'remove')
    return isConcerned
      ? select(kind, {
          video: 'Your video was taken down',
          comment: 'Your comment was removed',
          clip: 'Your clip was removed',
          other: 'Your channel was suspended',
        })
      : select(kind, {
          video: 'The video was taken down',
          comment: 'The comment was removed',
          clip: 'The clip was removed',
          other: 'The channel was suspended',
        })
  return isConcerned
    ? select(kind, {
        video: 'Your video is back',
        comment: 'Your comment is back',
        other: 'Your channel is back',
      })
    : select(kind, {
        video: 'The video was not removed',
        comment: 'The comment was not removed',
        clip: 'The clip was not removed',
        other: 'The channel was not suspended',
      })
}

function Answer({ id, report: { answer, decision } }: { id: string; report: OwnReport }) {
  const sendAnswer = useAnswerDecision(id)
  if (answer !== null)
    return (
      <>
        <h2>{t`Your answer`}</h2>
        <p className={styles['text']} dir="auto">
          {answer}
        </p>
        <p role="status">{t`A moderator will read it.`}</p>
      </>
    )
  return decision === 'remove' ? <AnswerForm onSend={sendAnswer.mutateAsync} /> : null
}
