import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import type { Finding, Health } from '@kinora/contract/operations/health.ts'
import { Link } from 'react-router'
import { formatAge, formatAgeInSentence } from '../../../../lib/format/age.ts'
import { formatBytes } from '../../../../lib/format/bytes.ts'
import { formatCount, formatFullCount } from '../../../../lib/format/counts.ts'
import { formatTotal } from '../../../../lib/format/total-duration.ts'
import { type AdministrationPage, paths } from '../../../../paths.ts'
import { attention, findingTexts } from './finding-texts.ts'
import styles from './health.module.css'
import { Tile, Tiles } from './tiles.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Part } from '../../../../ui/part.tsx'

type Rank = 'good' | 'note' | 'attention' | 'bad'

const badges: Record<Rank, MessageDescriptor> = {
  good: msg({ message: 'Fine', context: 'state of a check' }),
  note: msg({ message: 'Note', context: 'state of a check' }),
  attention: msg`Needs attention`,
  bad: msg({ message: 'Problem', context: 'state of a check' }),
}

const tones = { good: 'good', note: 'quiet', attention: 'alarming', bad: 'alarming' } as const

const rankOf = ({ state, code }: Finding): Rank =>
  state === 'note' && attention.has(code) ? 'attention' : state

/** The pages that do something about a finding. */
const pagesOf: Partial<Record<string, { label: MessageDescriptor; page: AdministrationPage }>> = {
  disk: { label: msg`Storage`, page: 'storage' },
  storage: { label: msg`Storage`, page: 'storage' },
  queue: { label: msg`Jobs`, page: 'jobs' },
  workers: { label: msg`Jobs`, page: 'jobs' },
  backup: { label: msg`Backups`, page: 'backups' },
}

/** Figures of the machine, and what `doctor` finds: problems and notes, then everything on demand. */
export function HealthSummary({ health, nowMs }: { health: Health; nowMs: number }) {
  const ranked = (rank: Rank) => health.findings.filter((finding) => rankOf(finding) === rank)
  const [problems, urgent, notes] = [ranked('bad'), ranked('attention'), ranked('note')]
  return (
    <Part className={styles['health']} title={t`Health`}>
      <p>
        {[
          problems.length > 0 &&
            plural(problems.length, {
              one: `${formatCount(problems.length)} problem to fix.`,
              other: `${formatCount(problems.length)} problems to fix.`,
            }),
          urgent.length > 0 &&
            plural(urgent.length, { one: '# thing needs attention.', other: '# things need attention.' }),
          problems.length + urgent.length === 0 && t`No problems found.`,
        ]
          .filter(Boolean)
          .join(' ')}{' '}
        <small>{t`Checked ${formatAgeInSentence(health.checkedAt, nowMs)}.`}</small>
      </p>
      {problems.length + urgent.length > 0 && <Findings findings={[...problems, ...urgent]} />}
      <Figures health={health} nowMs={nowMs} />
      {notes.length > 0 && <Findings findings={notes} />}
      <details className={styles['all']}>
        <summary>{t`All checks (${formatFullCount(health.findings.length)})`}</summary>
        <Findings findings={health.findings} />
      </details>
    </Part>
  )
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className={styles['findings']}>
      {findings.map((finding) => {
        const { subject, state, message, code } = finding
        const [page, text] = [pagesOf[subject], findingTexts[code]]
        const rank = rankOf(finding)
        return (
          <li key={`${code} ${message}`}>
            <Badge tone={tones[rank]}>{i18n._(badges[rank])}</Badge>
            {text ? (
              <div>
                {i18n._(text)}
                <details>
                  <summary>{t`Details`}</summary>
                  <DoctorText finding={finding} />
                </details>
              </div>
            ) : (
              <DoctorText finding={finding} />
            )}
            {page && state !== 'good' && (
              <Link to={paths.administrationOf(page.page)}>{i18n._(page.label)}</Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The text of `kinora doctor`, which is English. */
function DoctorText({ finding: { subject, message } }: { finding: Finding }) {
  return (
    <span lang="en" dir="ltr">
      <b>{subject}</b> {message}
    </span>
  )
}

function Figures({ health, nowMs }: { health: Health; nowMs: number }) {
  const { disk, queue, workers, cacheBytes, lastBackupAt } = health
  return (
    <Tiles>
      <Tile
        label={t`Free disk space`}
        value={formatBytes(disk.freeBytes)}
        note={t`of ${{ total: formatBytes(disk.totalBytes) }}`}
      />
      <Tile
        label={t`Cache`}
        value={cacheBytes === null ? '–' : formatBytes(cacheBytes)}
        note={cacheBytes === null ? t`not measured yet` : t`encoded qualities`}
      />
      <Tile
        label={t`Waiting jobs`}
        value={formatFullCount(queue.waiting)}
        note={[
          t`${formatFullCount(queue.running)} running`,
          ...(queue.failed > 0 ? [t`${formatFullCount(queue.failed)} failed in the last hour`] : []),
          ...(queue.waiting > 0 ? [t`the oldest for ${formatTotal(queue.oldestWaitingSeconds)}`] : []),
        ].join(', ')}
      />
      <Tile label={t`Workers`} value={formatFullCount(workers.length)} note={cpuTimeOf(workers)} />
      <Tile
        label={t`Newest backup`}
        value={
          lastBackupAt === null ? t({ message: 'None', context: 'backups' }) : formatAge(lastBackupAt, nowMs)
        }
        note={lastBackupAt === null ? t`nothing to restore` : t`in the default directory`}
      />
    </Tiles>
  )
}

/** CPU time of the workers since they started. */
function cpuTimeOf(workers: Health['workers']): string {
  const [first] = workers
  if (!first) return t`none runs`
  const sum = (read: (worker: (typeof workers)[number]) => number) =>
    workers.reduce((total, worker) => total + read(worker), 0)
  const cpu = formatTotal(sum(({ cpuSeconds }) => cpuSeconds))
  const run = formatTotal(sum(({ startedAt, seenAt }) => (Date.parse(seenAt) - Date.parse(startedAt)) / 1000))
  return t`${{ cpu }} of CPU time in ${{ run }}`
}
