import { t } from '@lingui/core/macro'
import { type AuditEntry, listAuditLog } from '@kinora/contract/operations/administration.ts'
import { call } from '@kinora/contract/client.ts'
import { useMutation } from '@tanstack/react-query'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { csvOf } from '../../../lib/format/csv.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import styles from './notice-bar.module.css'

/** Entries of one call. */
const limit = 1000

/** Downloads the entries with a text, or all of them, as CSV. */
export function AuditExport({ text }: { text: string }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => listAll(text),
    onSuccess: (entries) => save(entries),
  })
  return (
    <div className={styles['bar']}>
      {error && <Alert>{failureMessage(error)}</Alert>}
      <Button disabled={isPending} onClick={() => mutate()}>
        {isPending ? t`Exporting…` : t`Export as CSV`}
      </Button>
    </div>
  )
}

async function listAll(text: string): Promise<AuditEntry[]> {
  const all: AuditEntry[] = []
  for (;;) {
    const last = all.at(-1)
    const query = { ...(text ? { text } : {}), ...(last ? { before: Number(last._id) } : {}), limit }
    const { entries } = await call(listAuditLog, { query })
    all.push(...entries)
    if (entries.length < limit) return all
  }
}

function save(entries: readonly AuditEntry[]): void {
  const rows = entries.map(({ happenedAt, actor, action, subject, details }) => [
    happenedAt,
    actor,
    action,
    subject,
    details,
  ])
  const csv = csvOf([['time', 'actor', 'action', 'subject', 'details'], ...rows])
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'audit-log.csv'
  link.click()
  URL.revokeObjectURL(url)
}
