import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Activity } from '@kinora/contract/videos/collaborators.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../lib/format/age.ts'
import { itemsOf } from '../../../lib/list-pages.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { activityQuery } from './api.ts'
import styles from './people.module.css'

/** Activity of a channel: each action with who did it. */
export function ActivitySection({ channel }: { channel: string | undefined }) {
  const [nowMs] = useState(() => Date.now())
  const query = useInfiniteQuery(activityQuery(channel))
  const items = itemsOf(query.data)
  // Most people work on their channel alone.
  if (channel === undefined && query.isSuccess && items.length === 0) return null
  return (
    <section className={styles['part']} aria-labelledby="activity">
      <h2 id="activity">{t`Activity`}</h2>
      <PagedList
        query={query}
        items={items}
        failure={t`Could not load the activity`}
        skeleton={<Skeleton width="100%" height={120} />}
        empty={
          <EmptyState
            title={t`Nothing yet`}
            text={t`What each person does on this channel appears here, from the first invitation on.`}
          />
        }
      >
        {(shown) => (
          <ol className={styles['activity']} aria-labelledby="activity">
            {shown.map((activity) => (
              <li key={activity._id}>
                {activity.actor ? (
                  <Avatar src={activity.actor.avatar} name={activity.actor.fullname} size={32} lazy />
                ) : (
                  <span />
                )}
                <span>{textOf(activity)}</span>
                <time dateTime={activity.happenedAt}>{formatAge(activity.happenedAt, nowMs)}</time>
              </li>
            ))}
          </ol>
        )}
      </PagedList>
    </section>
  )
}

function textOf({ action, actor, videoId, subject }: Activity): ReactNode {
  const name = <b dir="auto">{actor?.fullname ?? t`Deleted account`}</b>
  const title =
    videoId === null ? (
      <bdi>{subject}</bdi>
    ) : (
      <Link to={paths.studioVideo(videoId)}>
        <bdi>{subject}</bdi>
      </Link>
    )
  const person = <bdi>@{subject}</bdi>
  const texts: Record<Activity['action'], () => ReactNode> = {
    video_uploaded: () => (
      <Trans>
        {name} uploaded {title}
      </Trans>
    ),
    video_changed: () => (
      <Trans>
        {name} edited {title}
      </Trans>
    ),
    file_replaced: () => (
      <Trans>
        {name} replaced the file of {title}
      </Trans>
    ),
    captions_changed: () => (
      <Trans>
        {name} changed the captions of {title}
      </Trans>
    ),
    share_links_changed: () => (
      <Trans>
        {name} changed the share links of {title}
      </Trans>
    ),
    embeds_changed: () => (
      <Trans>
        {name} changed who may embed {title}
      </Trans>
    ),
    video_deleted: () => (
      <Trans>
        {name} deleted {title}
      </Trans>
    ),
    comments_moderated: () => (
      <Trans>
        {name} moderated comments on {title}
      </Trans>
    ),
    clips_removed: () => (
      <Trans>
        {name} removed clips of {title}
      </Trans>
    ),
    channel_changed: () => <Trans>{name} changed the settings of the channel</Trans>,
    person_invited: () => (
      <Trans>
        {name} invited {person}
      </Trans>
    ),
    person_joined: () => <Trans>{name} accepted the invitation</Trans>,
    person_changed: () => (
      <Trans>
        {name} changed the role of {person}
      </Trans>
    ),
    person_removed: () => (
      <Trans>
        {name} removed {person}
      </Trans>
    ),
    person_left: () => <Trans>{name} left the channel</Trans>,
    video_handed_over: () =>
      subject === '' ? (
        <Trans>{name} took over all videos</Trans>
      ) : (
        <Trans>
          {name} took over {title}
        </Trans>
      ),
    video_received: () =>
      subject === '' ? (
        <Trans>{name} took over all videos of another channel</Trans>
      ) : (
        <Trans>
          {name} took over {title} from another channel
        </Trans>
      ),
  }
  return texts[action]()
}
