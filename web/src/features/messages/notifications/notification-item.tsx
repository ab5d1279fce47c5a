import { plural, select, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { Notification } from '@kinora/contract/messages/notifications.ts'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import { CircleAlert, CircleCheck, MonitorSmartphone, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../lib/format/age.ts'
import { deviceName } from '../../../lib/format/device-name.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import { clsx } from 'clsx'
import { useCover } from '../../../lib/sensitive.ts'
import covered from '../../../ui/covered.module.css'
import styles from './notification-item.module.css'

/** A notification: who did what, where it leads. Opening it marks it as read. */
export function NotificationItem({
  notification,
  onOpen,
}: {
  notification: Notification
  onOpen: () => void
}) {
  const { kind, actor, video, comment, report, device, isRead } = notification
  const [isCovered] = useCover(video)
  const [nowMs] = useState(() => Date.now())
  return (
    <Link
      className={styles['item']}
      to={targetOf(notification)}
      onClick={() => !isRead && onOpen()}
      // a middle click opens it in another tab
      onAuxClick={() => !isRead && onOpen()}
    >
      <span className={styles['dot']}>{!isRead && <VisuallyHidden>{t`Unread.`}</VisuallyHidden>}</span>
      {actor ? (
        <Avatar src={actor.avatar} name={actor.fullname} lazy />
      ) : (
        <span className={styles['icon']}>
          <Icon
            of={
              device !== null && device !== undefined
                ? MonitorSmartphone
                : report || kind === 'to_decide'
                  ? ShieldCheck
                  : kind === 'webhook' || kind === 'live_expired' || video?.processing === 'failed'
                    ? CircleAlert
                    : CircleCheck
            }
          />
        </span>
      )}
      <span className={styles['text']}>
        <span>{textOf(notification)}</span>
        {comment && (
          <span className={styles['comment']} dir="auto">
            {comment.content}
          </span>
        )}
        {report && report.note !== '' && (
          <span className={styles['comment']} dir="auto">
            {report.note}
          </span>
        )}
        <small>{formatAge(notification.createdAt, nowMs)}</small>
      </span>
      {video && (
        <img
          className={clsx(styles['thumbnail'], isCovered && covered['covered'])}
          src={video.thumbnail}
          srcSet={pictureSrcSet(video.thumbnail, 'thumbnail')}
          sizes="112px"
          alt=""
          loading="lazy"
          decoding="async"
        />
      )}
    </Link>
  )
}

function targetOf({ kind, actor, video, comment, report }: Notification): string {
  if (kind === 'sign_in') return paths.account('security')
  if (kind === 'live_expired') return paths.studioLive()
  if (kind === 'webhook') return paths.account('developers')
  if (kind === 'collaboration' || kind === 'handover') return paths.studioPeople()
  if (kind === 'to_decide') return paths.administrationOf('to-decide')
  if (report) return paths.report(report._id)
  if (kind === 'subscriber') return actor ? paths.channel(actor.username) : paths.notifications()
  if (!video) return paths.notifications()
  return comment ? paths.comment(video._id, comment._id) : paths.watch(video._id)
}

const kindOf = (report: Notification['report']) => report?.kind ?? 'other'

function textOf({ kind, actor, actorsCount, video, report, device }: Notification) {
  const name = <b dir="auto">{actor?.fullname ?? t`Somebody`}</b>
  const title = <b dir="auto">{video?.title}</b>
  const othersCount = actorsCount - 1
  switch (kind) {
    case 'video':
      return (
        <Trans>
          {name} published {title}
        </Trans>
      )
    case 'premiere':
      return video?.isStream ? (
        <Trans>
          {name} is live: {title}
        </Trans>
      ) : (
        <Trans>The premiere of {title} begins</Trans>
      )
    case 'live_expired':
      return <Trans>{title} did not start, so its announcement expired. Choose another time.</Trans>
    case 'comment':
      return (
        <Trans>
          {name} commented on {title}
        </Trans>
      )
    case 'reply':
      return (
        <Trans>
          {name} replied to you on {title}
        </Trans>
      )
    case 'mention':
      return (
        <Trans>
          {name} mentioned you on {title}
        </Trans>
      )
    case 'subscriber':
      return (
        <>
          {othersCount === 0 ? (
            <Trans>{name} subscribed to your channel</Trans>
          ) : (
            <Trans>
              {name} and <Plural value={othersCount} one="# other" other="# others" /> subscribed to your
              channel
            </Trans>
          )}
        </>
      )
    case 'report':
      return (
        <>
          {report?.decision === 'remove'
            ? select(kindOf(report), {
                video: 'Moderators removed the video that you reported',
                comment: 'Moderators removed the comment that you reported',
                clip: 'Moderators removed the clip that you reported',
                other: 'Moderators removed the channel that you reported',
              })
            : select(kindOf(report), {
                video: 'Moderators looked at and did not remove the video that you reported',
                comment: 'Moderators looked at and did not remove the comment that you reported',
                clip: 'Moderators looked at and did not remove the clip that you reported',
                other: 'Moderators looked at and did not suspend the channel that you reported',
              })}
        </>
      )
    case 'moderation':
      return (
        <>
          {report?.decision === 'remove'
            ? select(kindOf(report), {
                video: 'Moderators removed your video',
                comment: 'Moderators removed your comment',
                clip: 'Moderators removed your clip',
                other: 'Moderators removed your channel',
              })
            : select(kindOf(report), {
                video: 'Moderators put back your video',
                comment: 'Moderators put back your comment',
                other: 'Moderators put back your channel',
              })}{' '}
          <b dir="auto">{report?.title}</b>
        </>
      )
    case 'sign_in':
      return (
        <>{t`Somebody signed in to your account with a new device: ${deviceName(device ?? '')}. Was it you?`}</>
      )
    case 'webhook':
      return <>{t`A webhook of yours is paused after many failures`}</>
    case 'collaboration':
      return <Trans>{name} invites you to work on their channel</Trans>
    case 'handover':
      return <Trans>{name} offers you videos for your channel</Trans>
    case 'to_decide':
      return (
        <>
          {plural(actorsCount, {
            one: 'Something waits for your decision',
            other: '# things wait for your decision',
          })}
        </>
      )
    case 'processing':
      return video?.processing === 'failed' ? (
        <Trans>{title} could not be processed completely</Trans>
      ) : (
        <Trans>{title} is processed and ready in every quality</Trans>
      )
  }
}
