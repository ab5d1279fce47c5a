import { plural, t } from '@lingui/core/macro'
import type { FailedJob, JobQueue } from '@kinora/contract/operations/jobs.ts'
import { Link } from 'react-router'
import { formatAge } from '../../../lib/format/age.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import { ExpandableText } from '../../../ui/text/expandable-text.tsx'
import { areaOf } from './job-names.ts'
import styles from './table.module.css'

/** Jobs that failed, newest first. */
export function FailedJobsTable({
  jobs,
  nowMs,
  isPending,
  onRetry,
}: {
  jobs: readonly FailedJob[]
  nowMs: number
  isPending: boolean
  onRetry: (job: FailedJob) => void
}) {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t`Job`}</th>
          <th scope="col">{t`Reason`}</th>
          <th scope="col">{t`Failed`}</th>
          <th scope="col">
            <VisuallyHidden>{t`Actions`}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job._id}>
            <th scope="row">
              <span className={styles['name']}>{areaOf(job.name)}</span>{' '}
              <code className={styles['note']}>{job.name}</code>{' '}
              {job.videoId !== null && (
                <Link to={paths.studioVideo(job.videoId)}>{t`Video ${job.videoId}`}</Link>
              )}
            </th>
            <td className={styles['wide']}>
              <ExpandableText lines={4} className={styles['text']}>
                {job.reason ?? t`Unknown`}
              </ExpandableText>
            </td>
            <td className={styles['day']} data-label={t`Failed`}>
              <time dateTime={job.failedAt}>{formatAge(job.failedAt, nowMs)}</time>
            </td>
            <td>
              <span className={styles['actions']}>
                <Button
                  disabled={isPending}
                  aria-label={t`Retry ${job.name}`}
                  onClick={() => onRetry(job)}
                >{t`Retry`}</Button>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Jobs of each kind that has any, and the names of the others. */
export function QueuesTable({ queues }: { queues: readonly JobQueue[] }) {
  const isBusy = ({ waiting, running, later, failed }: JobQueue) => waiting + running + later + failed > 0
  const idle = queues.filter((queue) => !isBusy(queue))
  return (
    <>
      {idle.length < queues.length ? (
        <BusyQueues queues={queues.filter(isBusy)} />
      ) : (
        <p className={styles['text']}>{t`No job waits or runs.`}</p>
      )}
      {idle.length > 0 && (
        <details className={styles['details']}>
          <summary>
            {plural(idle.length, { one: '# kind without jobs', other: '# kinds without jobs' })}
          </summary>
          <p className={styles['note']}>{idle.map(({ name }) => name).join(', ')}</p>
        </details>
      )}
    </>
  )
}

function BusyQueues({ queues }: { queues: readonly JobQueue[] }) {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t`Kind`}</th>
          <th scope="col">{t`Running`}</th>
          <th scope="col">{t`Waiting`}</th>
          <th scope="col">{t`Longest wait`}</th>
          <th scope="col">{t`Scheduled`}</th>
          <th scope="col">{t`Failed`}</th>
        </tr>
      </thead>
      <tbody>
        {queues.map(({ name, running, waiting, oldestWaitingSeconds, later, failed }) => (
          <tr key={name}>
            <th scope="row">
              <span className={styles['name']}>{areaOf(name)}</span>{' '}
              <code className={styles['note']}>{name}</code>
            </th>
            <td data-label={t`Running`}>{formatFullCount(running)}</td>
            <td data-label={t`Waiting`}>{formatFullCount(waiting)}</td>
            <td data-label={t`Longest wait`}>
              {oldestWaitingSeconds > 0 ? formatDuration(oldestWaitingSeconds) : '–'}
            </td>
            <td data-label={t`Scheduled`}>{formatFullCount(later)}</td>
            <td data-label={t`Failed`}>{formatFullCount(failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
