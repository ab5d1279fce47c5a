import { t } from '@lingui/core/macro'
import type { Backup } from '@kinora/contract/operations/backups.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { Button } from '../../../ui/button.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import styles from './table.module.css'

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
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t`Backup`}</th>
          <th scope="col">{t`Rows`}</th>
          <th scope="col">{t`Files`}</th>
          <th scope="col">
            <VisuallyHidden>{t`Actions`}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {backups.map((backup) => {
          const { name, isUsable, rows, files, bytes, missing } = backup
          return (
            <tr key={name}>
              <th scope="row">
                <span className={styles['name']}>{name}</span>{' '}
                {!isUsable && <span className={styles['alarming']}>{t`Damaged`}</span>}
                {missing > 0 && (
                  <span className={styles['alarming']}>{t`${formatFullCount(missing)} files missing`}</span>
                )}
              </th>
              <td data-label={t`Rows`}>{isUsable ? formatFullCount(rows) : t`Unknown`}</td>
              <td data-label={t`Files`}>
                {files === null ? t`None` : `${formatFullCount(files)} (${formatBytes(bytes ?? 0)})`}
              </td>
              <td>
                <span className={styles['actions']}>
                  <Button
                    disabled={isBusy}
                    aria-label={t`Verify ${name}`}
                    onClick={() => onVerify(backup)}
                  >{t`Verify`}</Button>
                </span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
