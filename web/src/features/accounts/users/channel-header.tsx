import { plural, t } from '@lingui/core/macro'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import type { Channel } from '@kinora/contract/accounts/users.ts'
import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import { Link, useMatch } from 'react-router'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { hasLongWord } from '../../../lib/format/long-word.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import styles from './channel-header.module.css'
import defaultCover from './default-cover.svg'

const ownTabs: ReadonlySet<string | undefined> = new Set(['dashboard', 'history', 'edit'])

/** Cover, avatar, names and counts of a channel; `summary` is placed below the counts, `children` at the right. */
export function ChannelHeader({
  channel,
  summary,
  children,
}: {
  channel: Channel
  summary?: ReactNode
  children?: ReactNode
}) {
  return (
    <header>
      <Cover key={channel.coverImage} src={channel.coverImage} />
      <div className={styles['identity']}>
        <Avatar className={styles['avatar']} src={channel.avatar} name={channel.fullname} size={120} />
        <div className={styles['names']}>
          <h1 data-long={hasLongWord(channel.fullname) || undefined}>{channel.fullname}</h1>
          <p>
            <span>
              <bdi>@{channel.username}</bdi>
            </span>{' '}
            ·{' '}
            <span>
              <span data-count="subscribers">{formatFullCount(channel.subscribersCount)}</span>{' '}
              {plural(channel.subscribersCount, { one: 'subscriber', other: 'subscribers' })}
            </span>{' '}
            ·{' '}
            <Link to={paths.subscribedTo(channel.username)}>
              {t`${formatFullCount(channel.subscribedToCount)} Subscribed`}
            </Link>
          </p>
          {summary}
        </div>
        {children && <div className={styles['action']}>{children}</div>}
      </div>
    </header>
  )
}

/** The cover is a low strip above the tabs of the owner, who comes for what is below. */
function useCoverClass(): string {
  const tab = useMatch('/c/:channelId/:tab/*')?.params.tab?.toLowerCase()
  return clsx(styles['cover'], ownTabs.has(tab) && styles['low'])
}

/** Cover image of the channel, or the default if it is missing or fails to load. */
function Cover({ src }: { src: string | null }) {
  const [isBroken, setIsBroken] = useState(false)
  const own = src && !isBroken ? src : undefined
  return (
    <div className={useCoverClass()}>
      <img
        className={own ? undefined : styles['default']}
        src={own ?? defaultCover}
        srcSet={own && pictureSrcSet(own, 'cover')}
        sizes="(min-width: 1200px) calc(100vw - 276px), 100vw"
        width={1280}
        height={400}
        alt=""
        fetchPriority="high"
        onError={() => setIsBroken(true)}
      />
    </div>
  )
}

/** Placeholder of the header, in the same geometry. */
export function ChannelHeaderSkeleton() {
  return (
    <div role="status">
      <VisuallyHidden>{t`Loading the channel`}</VisuallyHidden>
      <div className={useCoverClass()} />
      <div className={styles['identity']}>
        <Skeleton className={clsx(styles['avatar'], styles['face'])} round />
        <div className={styles['names']}>
          <Skeleton className={styles['name']} />
          <Skeleton className={styles['line']} />
          <div className={styles['summary']} />
        </div>
        <div className={styles['action']}>
          <Skeleton className={styles['button']} />
        </div>
      </div>
    </div>
  )
}
