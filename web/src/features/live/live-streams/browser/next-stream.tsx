import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatMoment } from '../../../../lib/format/moment.ts'
import { visibilityChoices } from '../../../../lib/visibility-labels.ts'
import { paths } from '../../../../paths.ts'
import { announcedQuery, findDue } from '../api.ts'
import styles from './next-stream.module.css'

/** Title and visibility with which the stream begins: those of an announced stream that is due, or else of the template. */
export function NextStream({ template }: { template: LiveTemplate | null }) {
  const { data: announced, isPending } = useQuery({ ...announcedQuery, refetchInterval: LOOK_MS })
  if (isPending) return null
  const due = findDue(announced ?? [])
  const next = due ?? template
  return (
    <section className={styles['next']} aria-label={t`Next stream`}>
      <p className={styles['title']} dir="auto">
        {next?.title ?? t`Live`}
      </p>
      {due && <p>{t`Announced for ${formatMoment(due.startsAt)}`}</p>}
      <p>{i18n._(visibilityChoices[next?.visibility ?? 'private'])}</p>
      <Link to={paths.studioLive()}>{t`Change title and visibility`}</Link>
    </section>
  )
}

/** How often it is looked whether an announced stream is due by now. */
const LOOK_MS = 30_000
