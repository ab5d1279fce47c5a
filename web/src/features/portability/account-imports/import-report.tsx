import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ImportReport as Report } from '@kinora/contract/portability/account-imports.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { useErrorTranslator } from '../../../lib/i18n/use-error-translator.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import styles from './account-import.module.css'
import { opmlOf } from './opml.ts'

/** Names of what a report counts. */
const kindNames: Record<string, MessageDescriptor> = {
  captions: msg`Captions`,
  comments: msg`Comments`,
  'dismissed channels': msg`Dismissed channels`,
  'dismissed videos': msg`Dismissed videos`,
  files: msg`Files`,
  'groups of channels': msg`Groups of channels`,
  history: msg`History`,
  'likes of comments': msg`Likes of comments`,
  'likes of videos': msg`Likes of videos`,
  'muted people': msg`Muted people`,
  pictures: msg`Pictures`,
  'playlist entries': msg`Playlist entries`,
  playlists: msg`Playlists`,
  profile: msg`Profile`,
  settings: msg`Settings`,
  subscriptions: msg`Subscriptions`,
  videos: msg`Videos`,
  'viewers of videos': msg`Viewers of videos`,
}

/** Counts of an import, and the reasons for skipped items. */
export function ImportReport({ report: { counts, problems, moreProblems } }: { report: Report }) {
  const explain = useErrorTranslator()
  if (counts.length === 0 && problems.length === 0) return null
  return (
    <>
      {counts.length > 0 && (
        <DataTable
          rows={counts}
          idOf={({ kind }) => kind}
          hasCards={false}
          columns={[
            { heading: t`What`, kind: 'name', render: ({ kind }) => nameOf(kind) },
            { heading: t`New`, kind: 'number', render: ({ imported }) => formatFullCount(imported) },
            { heading: t`Here already`, kind: 'number', render: ({ present }) => formatFullCount(present) },
            { heading: t`Skipped`, kind: 'number', render: ({ skipped }) => formatFullCount(skipped) },
          ]}
        />
      )}
      {problems.length > 0 && (
        <details className={styles['problems']}>
          <summary>{t`Why something was skipped (${formatFullCount(problems.length + moreProblems)})`}</summary>
          <ul>
            {problems.map(({ kind, name, reason, cause }, index) => (
              // problems of a report only grow, and their order stays
              <li key={index}>
                <b>{name}</b>{' '}
                <span className={styles['reason']}>{`${nameOf(kind)}: ${explain(cause, reason)}`}</span>
              </li>
            ))}
          </ul>
          <FollowElsewhere problems={problems} />
          {moreProblems > 0 && <p>{t`And ${formatFullCount(moreProblems)} more.`}</p>}
        </details>
      )}
    </>
  )
}

/** Offers the channels of other platforms that are not here as a list for feed readers. */
function FollowElsewhere({ problems }: Pick<Report, 'problems'>) {
  const missing = problems.filter(({ kind, address }) => kind === 'subscriptions' && address !== null)
  if (missing.length === 0) return null
  return (
    <p className={styles['elsewhere']}>
      <a
        className={buttonClass('quiet')}
        href={`data:text/x-opml;charset=utf-8,${encodeURIComponent(opmlOf(missing))}`}
        download="channels-elsewhere.opml"
      >{t`Channels elsewhere as OPML`}</a>
    </p>
  )
}

function nameOf(kind: string): string {
  const name = kindNames[kind]
  return name ? i18n._(name) : kind
}
