import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { createBackup, verifyBackup, type BackupRun } from '@kinora/contract/operations/backups.ts'
import { call } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { backupsQuery } from '../../features/operations/administration/api.ts'
import { BackupsTable } from '../../features/operations/administration/backups-table.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { formatAgeInSentence } from '../../lib/format/age.ts'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Part } from '../../ui/part.tsx'
import styles from './sections.module.css'

/** Backups of the site: make one, verify one. */
export function BackupsPage() {
  return (
    <>
      <PageTitle title={t`Backups · Administration`} />
      <Backups />
    </>
  )
}

function Backups() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(backupsQuery)
  const { act, notice, isPending } = useActions()
  if (isError && !data)
    return <LoadFailure title={t`Could not load the backups`} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className={styles['skeleton']} height={320} />
  const { directory, isRunning, run, backups } = data
  const isBusy = isPending || isRunning
  return (
    <Part className={styles['texts']} title={t`Backups`} id="backups">
      <p>
        <Trans>
          Backups are on the server, in <code>{directory}</code>. They hold every account and password hash,
          so nobody can download them here. Copy them to another disk: a backup beside the site does not help
          when the disk is lost.
        </Trans>
      </p>
      <p>
        <Trans>
          The site can make one every night: switch it on in <Link to={paths.settings('data')}>Settings</Link>
          .
        </Trans>
      </p>
      <NoticeBar notice={notice}>
        <Button
          disabled={isBusy}
          onClick={() => act({ run: () => call(createBackup, {}), done: '' })}
        >{t`Back up now`}</Button>
      </NoticeBar>
      {isRunning && (
        <p role="status">
          {run && run.endedAt === null && run.progress ? run.progress : t`Waiting for a worker`}
        </p>
      )}
      {!isRunning && run && <LastRun run={run} nowMs={dataUpdatedAt} />}
      {backups.length === 0 ? (
        <p>{t`Backups appear here.`}</p>
      ) : (
        <BackupsTable
          backups={backups}
          isBusy={isBusy}
          onVerify={({ name: backup }) =>
            act({
              run: () => call(verifyBackup, { params: { backup } }),
              done: '',
            })
          }
        />
      )}
    </Part>
  )
}

/** The result of the last backup or verification. */
function LastRun({
  run: { kind, progress, problems, startedAt, endedAt },
  nowMs,
}: {
  run: BackupRun
  nowMs: number
}) {
  const what = kind === 'create' ? t`Last backup` : t`Last verification`
  const age = formatAgeInSentence(startedAt, nowMs)
  if (endedAt === null) return <Alert>{t`${what}, begun ${age}, did not end. Start it again.`}</Alert>
  return (
    <>
      <p role="status">
        {what}, {formatAgeInSentence(endedAt, nowMs)}: {progress}
        {problems.length === 0 && t`, without problems`}.
      </p>
      {problems.length > 0 && (
        <Alert>
          {problems.map((problem) => (
            <span key={problem} className={styles['problem']}>
              {problem}
            </span>
          ))}
        </Alert>
      )}
    </>
  )
}
