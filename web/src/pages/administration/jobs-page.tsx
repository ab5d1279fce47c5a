import { plural, t } from '@lingui/core/macro'
import { retryJobs } from '@kinora/contract/operations/jobs.ts'
import { call } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { jobsQuery } from '../../features/operations/administration/api.ts'
import { FailedJobsTable, QueuesTable } from '../../features/operations/administration/jobs-tables.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { TranscriptionWork } from '../../features/operations/administration/transcription-work.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Part } from '../../ui/part.tsx'
import styles from './sections.module.css'

/** Background work: what waits, runs and has failed. Refreshes itself while it is visible. */
export function JobsPage() {
  return (
    <>
      <PageTitle title={t`Jobs · Administration`} />
      <Jobs />
    </>
  )
}

function Jobs() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(jobsQuery)
  const { act, notice, isPending } = useActions()
  const heading = useRef<HTMLHeadingElement>(null)
  if (isError && !data)
    return <LoadFailure title={t`Could not load the jobs`} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className={styles['skeleton']} height={320} />
  const { failed, queues } = data

  function retry(ids: string[]) {
    // the focused button disappears with its row
    heading.current?.focus()
    let count = 0
    act({
      run: async () => {
        count = (await call(retryJobs, { body: { ids } })).ids.length
      },
      done: () =>
        count === 0
          ? t`Nothing to retry: a newer job does this work.`
          : plural(count, { one: 'Retrying # job.', other: 'Retrying # jobs.' }),
    })
  }

  return (
    <>
      <Part className={styles['texts']} title={t`Failed jobs`} id="failed-jobs" headingRef={heading}>
        <NoticeBar notice={notice}>
          {failed.length > 1 && (
            <Button
              disabled={isPending}
              onClick={() => retry(failed.map(({ _id }) => _id))}
            >{t`Retry all`}</Button>
          )}
        </NoticeBar>
        {failed.length === 0 && <p>{t`No job failed in the last 14 days.`}</p>}
        {failed.length > 0 && (
          <FailedJobsTable
            jobs={failed}
            nowMs={dataUpdatedAt}
            isPending={isPending}
            onRetry={({ _id }) => retry([_id])}
          />
        )}
      </Part>
      <Part title={t`Waiting and running`} id="all-jobs">
        <QueuesTable queues={queues} />
      </Part>
      <TranscriptionWork className={styles['texts']} />
    </>
  )
}
