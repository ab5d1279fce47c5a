import { t } from '@lingui/core/macro'
import type { Backup } from '@kinora/contract/operations/backups.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'

/** Backups, newest first; their names are the times at which they began. */
export function BackupsTable({
  backups,
  isBusy,
  onVerify,
}: {
  backups: readonly Backup[]
  isBusy: boolean
  onVerify: (backup: Backup) => void
}) {
  return (
    <DataTable
      labelledBy="backups"
      rows={backups}
      idOf={({ name }) => name}
      columns={[
        {
          heading: t`Backup`,
          kind: 'name',
          render: ({ name, isUsable, missing }) => (
            <>
              {name} {!isUsable && <Badge isAlarming>{t`Damaged`}</Badge>}
              {missing > 0 && <Badge isAlarming>{t`${formatFullCount(missing)} files missing`}</Badge>}
            </>
          ),
        },
        {
          heading: t`Rows`,
          kind: 'number',
          render: ({ isUsable, rows }) => (isUsable ? formatFullCount(rows) : t`Unknown`),
        },
        {
          heading: t`Files`,
          kind: 'number',
          render: ({ files, bytes }) =>
            files === null ? t`None` : `${formatFullCount(files)} (${formatBytes(bytes ?? 0)})`,
        },
      ]}
      renderButtons={(backup) => {
        const { name } = backup
        return (
          <Button
            disabled={isBusy}
            aria-label={t`Verify ${name}`}
            onClick={() => onVerify(backup)}
          >{t`Verify`}</Button>
        )
      }}
    />
  )
}
