import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import { moderatorKinds, notificationKinds } from '@kinora/contract/constants.ts'
import type { Notification, NotificationKind } from '@kinora/contract/messages/notifications.ts'
import type { I18n } from '../../../context/i18n.ts'

/** One line about a notification. Usernames in place of full names, which may be any text. Comments are left out. */
export function textOf(i18n: I18n, { kind, actor, actorsCount, video, report }: Notification): string {
  const name = actor?.username ?? i18n.t('Somebody')
  const title = video?.title ?? ''
  const reported = report?.kind ?? 'other'
  switch (kind) {
    case 'video':
      return i18n.t('{name} published {title}', { name, title })
    case 'premiere':
      return video?.isStream
        ? i18n.t('{name} is live: {title}', { name, title })
        : i18n.t('The premiere of {title} begins', { title })
    case 'live_expired':
      return i18n.t('{title} did not start, so its announcement expired. Choose another time.', { title })
    case 'comment':
      return i18n.t('{name} commented on {title}', { name, title })
    case 'reply':
      return i18n.t('{name} replied to you on {title}', { name, title })
    case 'mention':
      return i18n.t('{name} mentioned you on {title}', { name, title })
    case 'subscriber':
      return actorsCount > 1
        ? i18n.t('You have {actorsCount, plural, one {# new subscriber} other {# new subscribers}}', {
            actorsCount,
          })
        : i18n.t('{name} subscribed to your channel', { name })
    case 'report':
      return i18n.t(
        '{reported, select, video {Moderators decided about the video that you reported} comment {Moderators decided about the comment that you reported} channel {Moderators decided about the channel that you reported} clip {Moderators decided about the clip that you reported} other {Moderators decided about the subject that you reported}}',
        { reported },
      )
    case 'moderation':
      return i18n.t(
        '{reported, select, video {Moderators decided about your video} comment {Moderators decided about your comment} channel {Moderators decided about your channel} clip {Moderators decided about your clip} other {Moderators decided about your account}}',
        { reported },
      )
    case 'sign_in':
      return i18n.t('Somebody signed in to your account with a new device')
    case 'webhook':
      return i18n.t('A webhook of yours is paused after many failures')
    case 'collaboration':
      return i18n.t('{name} invites you to work on their channel', { name })
    case 'handover':
      return i18n.t('{name} offers you videos for your channel', { name })
    case 'to_decide':
      return i18n.t(
        '{count, plural, one {Something waits for your decision} other {# things wait for your decision}}',
        {
          count: actorsCount,
        },
      )
    case 'processing':
      return video?.processing === 'failed'
        ? i18n.t('{title} could not be processed completely', { title })
        : i18n.t('{title} is ready', { title })
  }
}

/** Kinds of notifications that people of a role can get. */
export const kindsOf = (role: Role): NotificationKind[] =>
  notificationKinds.filter((kind) => hasRole(role, 'moderator') || !moderatorKinds.includes(kind))

/** Where a notification leads. */
export function pathOf({ kind, actor, video, comment, report }: Notification): string {
  if (kind === 'sign_in') return '/account/security'
  if (kind === 'live_expired') return '/studio/live'
  if (kind === 'webhook') return '/account/developers'
  if (kind === 'collaboration' || kind === 'handover') return '/studio/people'
  if (kind === 'to_decide') return '/administration/to-decide'
  if (report) return `/report/${report._id}`
  if (kind === 'subscriber' && actor) return `/c/${actor.username}`
  if (!video) return '/notifications'
  return comment ? `/video/${video._id}?comment=${comment._id}` : `/video/${video._id}`
}
