import type { Notification } from '@kinora/contract/notifications.ts'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import { CircleAlert, CircleCheck, MonitorSmartphone, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../lib/format/age.ts'
import { countOf } from '../../lib/format/counts.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
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
  const [nowMs] = useState(() => Date.now())
  return (
    <Link
      className={styles['item']}
      to={targetOf(notification)}
      onClick={() => !isRead && onOpen()}
      // a middle click opens it in another tab
      onAuxClick={() => !isRead && onOpen()}
    >
      <span className={styles['dot']}>{!isRead && <VisuallyHidden>Unread. </VisuallyHidden>}</span>
      {actor ? (
        <Avatar src={actor.avatar} name={actor.fullname} lazy />
      ) : (
        <span className={styles['icon']}>
          <Icon
            of={
              device !== null && device !== undefined
                ? MonitorSmartphone
                : report
                  ? ShieldCheck
                  : kind === 'webhook' || video?.processing === 'failed'
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
          className={styles['thumbnail']}
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
  if (kind === 'sign_in' || kind === 'webhook') return paths.account()
  if (report) return paths.report(report._id)
  if (kind === 'subscriber') return actor ? paths.channel(actor.username) : paths.notifications()
  if (!video) return paths.notifications()
  return comment ? paths.comment(video._id, comment._id) : paths.watch(video._id)
}

function textOf({ kind, actor, actorsCount, video, report, device }: Notification) {
  const name = <b dir="auto">{actor?.fullname ?? 'Somebody'}</b>
  const title = <b dir="auto">{video?.title}</b>
  switch (kind) {
    case 'video':
      return (
        <>
          {name} published {title}
        </>
      )
    case 'comment':
      return (
        <>
          {name} commented on {title}
        </>
      )
    case 'reply':
      return (
        <>
          {name} replied to you on {title}
        </>
      )
    case 'mention':
      return (
        <>
          {name} mentioned you on {title}
        </>
      )
    case 'subscriber':
      return (
        <>
          {name}
          {actorsCount > 1 && ` and ${countOf(actorsCount - 1, 'other')}`} subscribed to your channel
        </>
      )
    case 'report':
      return (
        <>
          Moderators {report?.decision === 'remove' ? 'removed' : 'looked at and kept'} the {report?.kind}{' '}
          that you reported
        </>
      )
    case 'moderation':
      return (
        <>
          Moderators {report?.decision === 'remove' ? 'removed your' : 'put back your'} {report?.kind}{' '}
          <b dir="auto">{report?.title}</b>
        </>
      )
    case 'sign_in':
      return <>Somebody signed in to your account with a new device: {device}. Was it you?</>
    case 'webhook':
      return <>A webhook of yours is paused after many failures</>
    case 'processing':
      return video?.processing === 'failed' ? (
        <>{title} could not be processed completely</>
      ) : (
        <>{title} is processed and ready in every quality</>
      )
  }
}
