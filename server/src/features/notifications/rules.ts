import type { Notification } from '@kinora/contract/notifications.ts'

/** One line about a notification. Usernames in place of full names, which may be any text. Comments are left out. */
export function textOf({ kind, actor, actorsCount, video, report }: Notification): string {
  const name = actor?.username ?? 'Somebody'
  const title = video?.title ?? ''
  switch (kind) {
    case 'video':
      return `${name} published ${title}`
    case 'comment':
      return `${name} commented on ${title}`
    case 'reply':
      return `${name} replied to you on ${title}`
    case 'mention':
      return `${name} mentioned you on ${title}`
    case 'subscriber':
      return actorsCount > 1
        ? `You have ${actorsCount} new subscribers`
        : `${name} subscribed to your channel`
    case 'report':
      return `Moderators decided about the ${report?.kind ?? 'subject'} that you reported`
    case 'moderation':
      return `Moderators decided about your ${report?.kind ?? 'account'}`
    case 'sign_in':
      return 'Somebody signed in to your account with a new device'
    case 'webhook':
      return 'A webhook of yours is paused after many failures'
    case 'processing':
      return video?.processing === 'failed'
        ? `${title} could not be processed completely`
        : `${title} is ready`
  }
}

/** Where a notification leads. */
export function pathOf({ kind, actor, video, comment, report }: Notification): string {
  if (kind === 'sign_in' || kind === 'webhook') return '/account'
  if (report) return `/report/${report._id}`
  if (kind === 'subscriber' && actor) return `/c/${actor.username}`
  if (!video) return '/notifications'
  return comment ? `/video/${video._id}?comment=${comment._id}` : `/video/${video._id}`
}
