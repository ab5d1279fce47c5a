import { t } from '@lingui/core/macro'
import type { FolderCounts, FolderImportRun } from '@kinora/contract/portability/folder-imports.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Part } from '../../../ui/part.tsx'
import styles from './cells.module.css'

/** Progress of an import of a folder, or what it did. */
export function FolderImportResult({
  run,
  isRunning,
  nowMs,
}: {
  run: FolderImportRun
  isRunning: boolean
  nowMs: number
}) {
  const { folder, username, isDryRun, startedAt, endedAt, failure, problems } = run
  const age = formatAgeInSentence(endedAt ?? startedAt, nowMs)
  const isLost = endedAt === null && !isRunning
  return (
    <Part title={t`Last import`} level="h3" isDivided>
      <p role="status" className={styles['result']}>
        {endedAt === null
          ? t`${folder} → ${username}, begun ${age}: ${countsOf(run.counts)}`
          : isDryRun
            ? t`${folder} → ${username}, dry run ${age}: ${countsOf(run.counts)}`
            : t`${folder} → ${username}, ended ${age}: ${countsOf(run.counts)}`}
      </p>
      {isLost && <Alert>{t`This import did not end. Start it again, and it continues.`}</Alert>}
      {failure && <Alert>{failure}</Alert>}
      {problems.length > 0 && (
        <ul className={styles['problems']} aria-label={t`Problems`}>
          {problems.map(({ path, reason }) => (
            <li key={path}>
              <code>{path}</code>: {reasonOf(reason)}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const reasonOf = (reason: string) =>
  reason === 'missing'
    ? t`is gone; its video stays, and does not play`
    : reason === 'changed'
      ? t`has changed since its import`
      : reason

/** The counts that are not zero, and always the imported ones. */
function countsOf({ imported, known, restored, renamed, failed, links, playlists }: FolderCounts): string {
  const number = formatFullCount
  return [
    t`${number(imported)} imported`,
    known > 0 && t`${number(known)} known`,
    restored > 0 && t`${number(restored)} playable again`,
    renamed > 0 && t`${number(renamed)} renamed`,
    playlists > 0 && t`${number(playlists)} playlists`,
    failed > 0 && t`${number(failed)} failed`,
    links > 0 && t`${number(links)} symbolic links not followed`,
  ]
    .filter(Boolean)
    .join(' · ')
}
