/** A small edit that breaks one behaviour. */
export interface Fault {
  name: string
  file: string
  from: string
  to: string
  /** Groups with parts of the paths of the tests that are responsible. */
  tests: [group: string, ...filters: string[]][]
}

/** At least one of each domain. The first place of `from` in the file is replaced. */
export const faults: Fault[] = [
  {
    name: 'likes',
    file: 'server/src/features/conversation/likes/queries.ts',
    from: "    .where(isVisible(viewerId, 'videos'))\n",
    to: '',
    tests: [['server', 'likes', 'visibility']],
  },
  {
    name: 'undo of a deleted comment',
    file: 'server/src/features/conversation/comments/queries/deletions.ts',
    from: 'and c.deleted_at > now() - ${undoTime}',
    to: 'and c.deleted_at < now() - ${undoTime}',
    tests: [['server', 'comments']],
  },
  {
    name: 'paging of the history',
    file: 'server/src/features/watching/history/queries.ts',
    from: '(h.watched_at, h.video_id) < (',
    to: '(h.watched_at, h.video_id) > (',
    tests: [['server', 'history']],
  },
  {
    name: 'paging of the feed',
    file: 'server/src/features/watching/subscriptions/queries.ts',
    from: '(v.created_at, v.id) < (',
    to: '(v.created_at, v.id) > (',
    tests: [['server', 'subscriptions']],
  },
  {
    name: 'paging of a playlist',
    file: 'server/src/features/watching/playlists/queries/entries.ts',
    from: 'nextCursor: rows.length > limit ?',
    to: 'nextCursor: rows.length < limit ?',
    tests: [['server', 'playlists']],
  },
  {
    name: 'expired sessions',
    file: 'server/src/features/accounts/sessions/queries.ts',
    from: 's.expires_at > ${now}',
    to: 's.expires_at < ${now}',
    tests: [['server', 'sessions/sessions']],
  },
  {
    name: 'visibility',
    file: 'server/src/features/visibility/queries.ts',
    from: 'audience.isSignedIn ? sql`${visibility} in',
    to: '!audience.isSignedIn ? sql`${visibility} in',
    tests: [['server', 'visibility']],
  },
  {
    name: 'quota of videos',
    file: 'server/src/features/videos/uploads/actions/quota.ts',
    from: 'used.videos + videos > quotaVideos',
    to: 'used.videos + videos > quotaVideos + 1',
    tests: [['server', 'quota']],
  },
  {
    name: 'failed webhooks',
    file: 'server/src/features/messages/webhooks/jobs.ts',
    from: 'status >= 200 && status < 300',
    to: 'status >= 200 && status < 500',
    tests: [['server', 'webhooks']],
  },
  {
    name: 'rate limit',
    file: 'platform/src/http/limits/rate-limit.ts',
    from: 'taken >= this.#limit',
    to: 'taken > this.#limit',
    tests: [['server', 'limits/rate-limit']],
  },
  {
    name: 'cleared cache',
    file: 'platform/src/tagged-cache.ts',
    from: '?? -Infinity) >= time',
    to: '?? -Infinity) < time',
    tests: [['server', 'tagged-cache', 'cached-responses']],
  },
  {
    name: 'own account in administration',
    file: 'server/src/features/operations/administration/rules.ts',
    from: 'if (actor.id === account.id)',
    to: "if (actor.id === account.id && account.role === 'member')",
    tests: [['server', 'administration']],
  },
  {
    name: 'short passwords',
    file: 'server/src/features/accounts/users/rules.ts',
    from: 'countCharacters(password) < minLength',
    to: 'countCharacters(password) < minLength - 1',
    tests: [
      ['unit', 'users/rules'],
      ['server', 'users/users'],
    ],
  },
  {
    name: 'weight of new accounts',
    file: 'server/src/features/accounts/new-accounts/rules.ts',
    from: 'progress < 2 / 3 ? 2 : 4',
    to: 'progress < 2 / 3 ? 4 : 2',
    tests: [
      ['unit', 'new-accounts'],
      ['server', 'new-accounts'],
    ],
  },
  {
    name: 'text of a notification',
    file: 'server/src/features/messages/notifications/rules.ts',
    from: 'return actorsCount > 1',
    to: 'return actorsCount < 1',
    tests: [
      ['unit', 'notifications'],
      ['server', 'features/messages/notifications'],
    ],
  },
  {
    name: 'words with mistakes',
    file: 'server/src/features/watching/search/rules.ts',
    from: 'mistakesBetween(word, match) <= mistakes',
    to: 'mistakesBetween(word, match) < mistakes',
    tests: [
      ['unit', 'search/rules'],
      ['server', 'search/'],
    ],
  },
  {
    name: 'analytics of a playback',
    file: 'server/src/features/videos/analytics/rules.ts',
    from: 'watchedSeconds === 0 && parts.size === 0',
    to: 'watchedSeconds === 0 || parts.size === 0',
    tests: [
      ['unit', 'analytics'],
      ['server', 'analytics'],
    ],
  },
  {
    name: 'time of a second factor',
    file: 'server/src/features/accounts/second-factor/rules.ts',
    from: '/ periodSeconds) + delta',
    to: '/ periodSeconds) - delta - 1',
    tests: [
      ['unit', 'second-factor'],
      ['server', 'second-factor'],
    ],
  },
  {
    name: 'format of feeds',
    file: 'server/src/features/watching/feeds/rules.ts',
    from: "format === 'atom' ?",
    to: "format !== 'atom' ?",
    tests: [['server', 'feeds/feeds']],
  },
  {
    name: 'peak bitrate',
    file: 'media/src/plan/measured-bitrates.ts',
    from: 'peak = Math.max(peak,',
    to: 'peak = Math.min(peak,',
    tests: [['unit', 'measured-bitrates']],
  },
  {
    name: 'length of segments',
    file: 'media/src/plan/stream-index.ts',
    from: 'key - last >= seconds - 0.001',
    to: 'key - last > seconds + 1',
    tests: [
      ['unit', 'stream-index'],
      ['media', 'encode/'],
    ],
  },
  {
    name: 'turned videos',
    file: 'media/src/probe/describe-streams.ts',
    from: 'rotation === 90 || rotation === 270',
    to: 'rotation === 90',
    tests: [['unit', 'describe-streams']],
  },
  {
    name: 'default audio track',
    file: 'media/src/plan/hls.ts',
    from: "track === defaultTrack ? 'YES' : 'NO'",
    to: "track === defaultTrack ? 'NO' : 'YES'",
    tests: [
      ['unit', 'plan/hls'],
      ['media', 'sources'],
    ],
  },
  {
    name: 'renditions above the source',
    file: 'media/src/plan/renditions.ts',
    from: 'height >= lowest && height <= shortSide',
    to: 'height >= lowest && height <= 2 * shortSide',
    tests: [
      ['unit', 'src/plan'],
      ['media', 'encode/', 'sources'],
    ],
  },
  {
    name: 'notes newest first',
    file: 'web/src/lib/newest-first.ts',
    from: 'time(b) - time(a)',
    to: 'time(a) - time(b)',
    tests: [['unit', 'newest-first']],
  },
  {
    name: 'frame of the storyboard',
    file: 'web/src/lib/storyboard.ts',
    from: 'frame.startSeconds <= seconds',
    to: 'frame.startSeconds < seconds - 1',
    tests: [['unit', 'storyboard']],
  },
  {
    name: 'times in texts',
    file: 'web/src/lib/text-parts.ts',
    from: 'seconds <= durationSeconds',
    to: 'seconds > durationSeconds',
    tests: [['unit', 'text-parts']],
  },
  {
    name: 'clicks outside a dialog',
    file: 'web/src/ui/dialog.tsx',
    from: 'closesOnOutsideClick && event.target',
    to: '!closesOnOutsideClick && event.target',
    tests: [['components', 'dialog']],
  },
  {
    name: 'Escape in a menu',
    file: 'web/src/ui/more-actions.tsx',
    from: "event.key !== 'Escape'",
    to: "event.key !== 'Enter'",
    tests: [['components', 'more-actions']],
  },
  {
    name: 'filters in the address',
    file: 'web/src/features/watching/search/search-filters.ts',
    from: '([name, value]) => value !== undefined &&',
    to: '([name, value]) => value === undefined &&',
    tests: [['unit', 'search-filters']],
  },
  {
    name: 'same new password',
    file: 'web/src/features/accounts/users/rules.ts',
    from: 'newPassword === oldPassword',
    to: 'newPassword !== oldPassword',
    tests: [['unit', 'web/src/features/accounts/users']],
  },
  {
    name: 'size of a chosen file',
    file: 'web/src/features/videos/uploads/rules.ts',
    from: 'file.size > maxBytes ?',
    to: 'file.size < maxBytes ?',
    tests: [
      ['unit', 'web/src/features/videos/uploads'],
      ['e2e', 'uploads'],
    ],
  },
  {
    name: 'pressed like button',
    file: 'web/src/features/conversation/likes/like-buttons.tsx',
    from: 'aria-pressed={isLiked}',
    to: 'aria-pressed={!isLiked}',
    tests: [['components', 'watch-page']],
  },
  {
    name: 'dislike in the browser',
    file: 'web/src/features/conversation/likes/like-buttons.tsx',
    from: 'onClick={onDislike}',
    to: 'onClick={onLike}',
    tests: [['components', 'watch-page']],
  },
]
