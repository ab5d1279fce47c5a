import { plural, t } from '@lingui/core/macro'
import { announcedMinutesBefore } from '@kinora/contract/constants.ts'
import type { AnnouncedStream } from '@kinora/contract/live/announcements.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatMoment } from '../../../lib/format/moment.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { Part } from '../../../ui/part.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { AnnounceDialog } from './announce-dialog.tsx'
import { announcedQuery, cancelAnnounced } from './api.ts'
import styles from './announced-streams.module.css'

/** Streams that the channel has announced for a time, each with the address that it will have. */
export function AnnouncedStreams() {
  const cancel = useRowAction({
    run: ({ videoId }: AnnouncedStream) => cancelAnnounced(videoId),
    confirm: ({ title, reminders }) => ({
      title: t`Cancel “${title}”?`,
      text:
        reminders > 0
          ? plural(reminders, {
              one: 'Its page and its chat are deleted. # person asked to be reminded.',
              other: 'Its page and its chat are deleted. # people asked to be reminded.',
            })
          : t`Its page and its chat are deleted.`,
      label: t`Cancel the stream`,
      cancelLabel: t`Keep it`,
    }),
    done: ({ title }) => t`${title} was cancelled.`,
    queryKey: announcedQuery.queryKey,
  })
  return (
    <Part
      title={t`Announced streams`}
      note={t`Viewers get a page with a countdown, a reminder and a chat. From ${announcedMinutesBefore} minutes before its time on, what you stream appears on that page.`}
      isDivided
    >
      <RevocableList
        label={t`Announced streams`}
        query={useQuery(announcedQuery)}
        failure={t`Could not load your announced streams`}
        action={cancel}
        rowOf={(stream) => ({
          key: stream.videoId,
          title: stream.title,
          badge:
            stream.takedownReason !== null ? (
              <Badge isAlarming>{t`Taken down`}</Badge>
            ) : (
              stream.hasExpired && <Badge isAlarming>{t`Did not start`}</Badge>
            ),
          note: <Note stream={stream} />,
          controls:
            stream.takedownReason === null ? (
              <DialogButton label={stream.hasExpired ? t`Announce again` : t`Change`}>
                {(close) => <AnnounceDialog stream={stream} onClose={close} />}
              </DialogButton>
            ) : undefined,
          revoke: { label: t`Cancel the stream…`, name: t`Cancel the stream ${stream.title}` },
        })}
      >
        <div className={styles['announce']}>
          <DialogButton label={t`Announce a stream`}>
            {(close) => <AnnounceDialog onClose={close} />}
          </DialogButton>
        </div>
      </RevocableList>
    </Part>
  )
}

function Note({ stream }: { stream: AnnouncedStream }) {
  const { videoId, startsAt, hasExpired, takedownReason, reminders } = stream
  const time = <time dateTime={startsAt}>{formatMoment(startsAt)}</time>
  if (takedownReason !== null)
    return (
      <>
        {time} · <span dir="auto">{takedownReason}</span>
      </>
    )
  if (hasExpired) return time
  return (
    <>
      {time}
      {reminders > 0 && ` · ${plural(reminders, { one: '# reminder', other: '# reminders' })}`}
      {' · '}
      <Link className={styles['page']} to={paths.watch(videoId)}>{t`Watch page`}</Link>
    </>
  )
}
