import { t } from '@lingui/core/macro'
import type { LiveChannel } from '@kinora/contract/live/live-streams.ts'
import type { Visibility } from '@kinora/contract/videos/videos.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatMoment } from '../../../../lib/format/moment.ts'
import { visibilityText } from '../../../../lib/visibility-labels.ts'
import { paths } from '../../../../paths.ts'
import { useDueStream } from '../api.ts'
import styles from './stream-details.module.css'

/** Title and visibility: of the stream that runs, or else those with which the next one begins. */
export function StreamDetails({ channel: { stream, template } }: { channel: LiveChannel }) {
  if (stream?.endedAt === null)
    return (
      <Details
        label={t`Stream`}
        title={stream.title}
        visibility={stream.visibility}
        link={
          <Link to={paths.studioVideo(stream.videoId)} target="_blank">{t`Change title and visibility`}</Link>
        }
      />
    )
  return <NextStream template={template} />
}

/** Details of an announced stream that is due, or else of the template. */
function NextStream({ template }: { template: LiveChannel['template'] }) {
  const { due, isPending } = useDueStream()
  if (isPending) return null
  const next = due ?? template
  return (
    <Details
      label={t`Next stream`}
      title={next?.title ?? t`Live stream`}
      time={due && t`Announced for ${formatMoment(due.startsAt)}`}
      visibility={next?.visibility ?? 'private'}
      link={<Link to={paths.studioLive()}>{t`Change title and visibility`}</Link>}
    />
  )
}

function Details({
  label,
  title,
  time,
  visibility,
  link,
}: {
  label: string
  title: string
  time?: string | undefined
  visibility: Visibility
  link: ReactNode
}) {
  return (
    <section className={styles['details']} aria-label={label}>
      <p className={styles['title']} dir="auto">
        {title}
      </p>
      {time && <p>{time}</p>}
      <p>{visibilityText(visibility)}</p>
      {link}
    </section>
  )
}
