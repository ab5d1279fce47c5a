import { plural, t } from '@lingui/core/macro'
import type { FailedJob, JobQueue } from '@kinora/contract/operations/jobs.ts'
import { Link } from 'react-router'
import { formatAge } from '../../../lib/format/age.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { ExpandableText } from '../../../ui/text/expandable-text.tsx'
import styles from './cells.module.css'
import { areaOf } from './job-names.ts'

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
    <DataTable
      labelledBy="failed-jobs"
      rows={jobs}
      idOf={({ _id }) => _id}
      columns={[
        {
          heading: t`Job`,
          kind: 'name',
          render: (job) => (
            <>
              <JobName name={job.name} />{' '}
              {job.videoId !== null && (
                <Link to={paths.studioVideo(job.videoId)}>{t`Video ${job.videoId}`}</Link>
              )}
            </>
          ),
        },
        {
          heading: t`Reason`,
          kind: 'wide',
          render: ({ reason }) => (
            <ExpandableText lines={4} className={styles['text']}>
              {reason ?? t`Unknown`}
            </ExpandableText>
          ),
        },
        {
          heading: t`Failed`,
          kind: 'day',
          render: ({ failedAt }) => <time dateTime={failedAt}>{formatAge(failedAt, nowMs)}</time>,
        },
      ]}
      renderButtons={(job) => (
        <Button
          disabled={isPending}
          aria-label={t`Retry ${job.name}`}
          onClick={() => onRetry(job)}
        >{t`Retry`}</Button>
      )}
    />
  )
}

function JobName({ name }: { name: string }) {
  return (
    <>
      {areaOf(name)} <code className={styles['note']}>{name}</code>
    </>
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
  const count = (heading: string, numberOf: (queue: JobQueue) => number) => ({
    heading,
    kind: 'number' as const,
    render: (queue: JobQueue) => formatFullCount(numberOf(queue)),
  })
  return (
    <DataTable
      labelledBy="all-jobs"
      rows={queues}
      idOf={({ name }) => name}
      columns={[
        { heading: t`Kind`, kind: 'name', render: ({ name }) => <JobName name={name} /> },
        count(t`Running`, ({ running }) => running),
        count(t`Waiting`, ({ waiting }) => waiting),
        {
          heading: t`Longest wait`,
          kind: 'number',
          render: ({ oldestWaitingSeconds: seconds }) => (seconds > 0 ? formatDuration(seconds) : '–'),
        },
        count(t`Scheduled`, ({ later }) => later),
        count(t`Failed`, ({ failed }) => failed),
      ]}
    />
  )
}
