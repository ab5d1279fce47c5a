import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  createAccountImport,
  deleteAccountImport,
  getAccountImport,
  type AccountImport as Import,
} from '@kinora/contract/portability/account-imports.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { useErrorTranslator } from '../../../lib/i18n/use-error-translator.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { FileField } from '../../../ui/forms/file-field.tsx'
import styles from './account-import.module.css'
import { ImportReport } from './import-report.tsx'

const pollMs = 2000

const importQuery = queryOptions({
  queryKey: accountKeys.accountImport,
  queryFn: ({ signal }) => call(getAccountImport, { signal }),
  refetchInterval: ({ state }) => state.data?.state === 'running' && pollMs,
})

interface Transfer {
  /** Sends a file resumably and returns the id of the upload. */
  send: (
    file: File,
    options: { signal: AbortSignal; onSent: (sentBytes: number, totalBytes: number) => void },
  ) => Promise<string>
  /** Forgets the upload of a file, which the import deletes. */
  forget: (file: File) => Promise<void>
}

/** Imports an archive into the account: sends it, shows how far it is, and reports what could not be imported. */
export function AccountImport(transfer: Transfer) {
  const client = useQueryClient()
  const explain = useErrorTranslator()
  const { data: found, isPending, isError, refetch } = useQuery(importQuery)
  const reload = () => client.invalidateQueries(importQuery)
  const removal = useMutation({ mutationFn: () => call(deleteAccountImport, {}), onSettled: reload })
  const isRunning = found?.state === 'running'

  // Lists of the account show what the import has added.
  const wasRunning = useRef(false)
  useEffect(() => {
    if (wasRunning.current && !isRunning)
      void client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== accountKeys.accountImport[0],
      })
    wasRunning.current = isRunning
  }, [client, isRunning])

  if (isError && found === undefined)
    return <LoadFailure title={t`Could not load your import`} onRetry={() => void refetch()} />
  if (isPending) return <Skeleton />
  return (
    <>
      <p className={styles['status']} role="status">
        {found && describe(found)}
      </p>
      {isRunning && <ProgressBar label={t`Progress of the import`} value={found.progress} />}
      {found?.state === 'failed' && <Alert>{explain(found.cause, found.failure ?? '')}</Alert>}
      {found && <ImportReport report={found.report} />}
      {removal.error && <Alert>{failureMessage(removal.error)}</Alert>}
      {found && (
        <div className={styles['actions']}>
          <Button disabled={removal.isPending} onClick={() => removal.mutate()}>
            {isRunning ? t`Stop the import` : t`Clear this report`}
          </Button>
        </div>
      )}
      {!isRunning && <ArchiveForm {...transfer} onStarted={reload} />}
    </>
  )
}

function describe({ state }: Import): string {
  const texts: Record<Import['state'], string> = {
    running: t`The import is running. You can leave this page.`,
    done: t`The import is done.`,
    failed: t`The import failed. What was imported until then stays.`,
    cancelled: t`The import was stopped. What was imported until then stays.`,
  }
  return texts[state]
}

interface Sending {
  sentBytes: number
  totalBytes: number
}

function ArchiveForm({ send, forget, onStarted }: Transfer & { onStarted: () => Promise<void> }) {
  const [file, setFile] = useState<File>()
  const [error, setError] = useState<string>()
  const [sending, setSending] = useState<Sending>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(event: FormEvent) {
    event.preventDefault()
    if (!file) return setError(t`Choose a file`)
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setError(undefined)
    setSending({ sentBytes: 0, totalBytes: file.size })
    try {
      const uploadId = await send(file, {
        signal,
        onSent: (sentBytes, totalBytes) => !signal.aborted && setSending({ sentBytes, totalBytes }),
      })
      await call(createAccountImport, { body: { uploadId } })
      await forget(file)
      await onStarted()
    } catch (failure) {
      if (!signal.aborted) setError(failureMessage(failure))
    }
    setSending(undefined)
  }

  if (sending)
    return (
      <div className={styles['form']}>
        <p role="status">{t`Sending the file. Keep this page open.`}</p>
        <ProgressBar
          label={t`Progress of the transfer`}
          value={sending.sentBytes / (sending.totalBytes || 1)}
        />
        <p className={styles['sent']}>
          {t`${formatBytes(sending.sentBytes)} of ${formatBytes(sending.totalBytes)}`}
        </p>
        <div className={styles['actions']}>
          <Button
            onClick={() => {
              running.current?.abort()
              setSending(undefined)
            }}
          >{t`Stop sending`}</Button>
        </div>
      </div>
    )
  return (
    <form className={styles['form']} onSubmit={(event) => void start(event)} noValidate>
      <FileField
        label={t`Archive or list`}
        shape="file"
        prompt={t`Choose a file`}
        promptToDrop={t`, or drop it here`}
        accept={accepted}
        error={error}
        onPick={(picked) => {
          setFile(picked)
          setError(undefined)
        }}
      />
      <div className={styles['actions']}>
        <Button type="submit">{t`Import`}</Button>
      </div>
    </form>
  )
}

const accepted = '.zip,.csv,.json,.db,.opml,.xml'
