import { formatDate } from '../../../lib/format/moment.ts'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  createAccountExport,
  deleteAccountExport,
  getAccountExport,
} from '@kinora/contract/portability/account-exports.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import styles from './account-export.module.css'

const pollMs = 2000

const exportQuery = queryOptions({
  queryKey: accountKeys.accountExport,
  queryFn: ({ signal }) => call(getAccountExport, { signal }),
  refetchInterval: ({ state }) => state.data?.state === 'running' && pollMs,
})

/** Makes an archive of the account, and offers it for download. */
export function AccountExport() {
  const client = useQueryClient()
  const { data: found, isPending, isError, refetch } = useQuery(exportQuery)
  const reload = () => client.invalidateQueries(exportQuery)
  const start = useMutation({ mutationFn: () => call(createAccountExport, {}), onSettled: reload })
  const removal = useMutation({ mutationFn: () => call(deleteAccountExport, {}), onSettled: reload })
  const isBusy = start.isPending || removal.isPending
  const error = start.error ?? removal.error

  if (isError && found === undefined)
    return <LoadFailure title={t`Could not load your export`} onRetry={() => void refetch()} />
  if (isPending) return <Skeleton />
  const state = found?.state
  const begin = () => {
    removal.reset()
    start.mutate()
  }
  const discard = () => {
    start.reset()
    removal.mutate()
  }
  return (
    <>
      <p className={styles['status']} role="status">
        {state === 'running' && t`Your archive is being made. You can leave this page.`}
        {found && state === 'ready' && describe(found)}
        {state === 'failed' && t`Your account could not be exported. Try again later.`}
      </p>
      {found && state === 'running' && (
        <ProgressBar label={t`Progress of the export`} value={found.progress} />
      )}
      {error && <Alert>{failureMessage(error)}</Alert>}
      <div className={styles['actions']}>
        {state === 'ready' && (
          // the path of `accountArchivePath`; the contract's schemas are not part of the site
          <a
            className={buttonClass('solid')}
            href={`${apiPrefix}/users/export/archive.zip`}
            download
          >{t`Get the archive`}</a>
        )}
        {state !== 'running' && (
          <Button disabled={isBusy} onClick={begin}>
            {state === 'ready' ? t`Make a new archive` : t`Make an archive`}
          </Button>
        )}
        {(state === 'running' || state === 'ready') && (
          <Button disabled={isBusy} onClick={discard}>
            {state === 'running' ? t`Stop the export` : t`Delete the archive`}
          </Button>
        )}
      </div>
    </>
  )
}

function describe({
  sizeBytes,
  createdAt,
  expiresAt,
}: {
  sizeBytes: number | null
  createdAt: string
  expiresAt: string
}): string {
  const made = formatDate(createdAt)
  const until = formatDate(expiresAt)
  return t`An archive of ${formatBytes(sizeBytes ?? 0)} from ${made}, which you can download until ${until}.`
}
