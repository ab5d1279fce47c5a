import { plural, t } from '@lingui/core/macro'
import type { ListedVideo } from '@kinora/contract/operations/moderation.ts'
import type { Overview } from '@kinora/contract/operations/administration.ts'
import type { Person } from '@kinora/contract/operations/people.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import {
  allVideosQuery,
  healthQuery,
  newestFive,
  overviewQuery,
  peopleQuery,
} from '../../features/operations/administration/api.ts'
import { Checklist } from '../../features/operations/administration/overview/checklist.tsx'
import { HealthSummary } from '../../features/operations/administration/overview/health.tsx'
import { Tile, Tiles } from '../../features/operations/administration/overview/tiles.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { formatAge } from '../../lib/format/age.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount, formatFullCount } from '../../lib/format/counts.ts'
import { paths } from '../../paths.ts'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Part } from '../../ui/part.tsx'
import styles from './overview-page.module.css'

/** Totals of the site, open tasks and news. */
export function OverviewPage() {
  return (
    <>
      <PageTitle title={t`Overview · Administration`} />
      <SiteOverview />
    </>
  )
}

/** For administrators, who see settings and directories. */
function SiteHealth() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(healthQuery)
  if (isError && !data)
    return <LoadFailure title={t`Could not check the health of the site`} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className={styles['skeleton']} height={200} />
  return <HealthSummary health={data} nowMs={dataUpdatedAt} />
}

function SiteOverview() {
  const { authData } = useAuth()
  const isAdministrator = hasRole(authData?.role ?? 'member', 'administrator')
  const { data, isError, refetch } = useQuery(overviewQuery)
  const { data: people } = useQuery(peopleQuery(newestFive))
  const { data: videos } = useQuery(allVideosQuery(newestFive))
  if (isError && !data)
    return <LoadFailure title={t`Could not load the overview`} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className={styles['skeleton']} height={240} />
  const aboutIf = (name: keyof Overview, value: string) =>
    data.estimates?.includes(name) ? t`about ${value}` : value
  const hours = aboutIf('hoursOfVideo', formatFullCount(Math.round(data.hoursOfVideo)))
  return (
    <>
      <Warnings overview={data} />
      {isAdministrator && <Checklist username={authData?.username ?? ''} />}
      <Tiles>
        <Tile
          label={t`Accounts`}
          value={aboutIf('users', formatFullCount(data.users))}
          note={t`${aboutIf('signedIn', formatFullCount(data.signedIn))} signed in`}
        />
        <Tile
          label={t`Videos`}
          value={aboutIf('videos', formatFullCount(data.videos))}
          note={plural(Math.round(data.hoursOfVideo), { one: `${hours} hour`, other: `${hours} hours` })}
        />
        <Tile
          label={t`Views`}
          value={aboutIf('views', formatFullCount(data.views))}
          note={t`${aboutIf('viewsOf28Days', formatFullCount(data.viewsOf28Days))} in 28 days`}
        />
        <Tile
          label={t`Comments`}
          value={aboutIf('comments', formatFullCount(data.comments))}
          note={[
            plural(data.likes, {
              one: `${formatCount(data.likes)} like`,
              other: `${formatCount(data.likes)} likes`,
            }),
            plural(data.subscriptions, {
              one: `${formatCount(data.subscriptions)} subscription`,
              other: `${formatCount(data.subscriptions)} subscriptions`,
            }),
          ].join(', ')}
        />
        <Tile
          label={t`Uploaded files`}
          value={aboutIf('sourceBytes', formatBytes(data.sourceBytes))}
          note={t`${formatBytes(data.databaseBytes)} in the database`}
        />
      </Tiles>
      {isAdministrator && <SiteHealth />}
      <div className={styles['newest']}>
        {people && <NewestPeople people={people.entries} />}
        {videos && <NewestVideos videos={videos.entries} />}
      </div>
    </>
  )
}

/** Open tasks, with links to them. */
function Warnings({ overview }: { overview: Overview }) {
  const warnings = [
    {
      count: overview.openReports,
      text: (count: number) =>
        plural(count, {
          one: `${formatCount(count)} report waiting for a decision`,
          other: `${formatCount(count)} reports waiting for a decision`,
        }),
      to: paths.administrationOf('reports'),
    },
    {
      count: overview.waitingUsers,
      text: (count: number) =>
        plural(count, {
          one: `${formatCount(count)} account waiting for approval`,
          other: `${formatCount(count)} accounts waiting for approval`,
        }),
      to: `${paths.administrationOf('people')}?show=waiting`,
    },
    {
      count: overview.waitingVideos,
      text: (count: number) =>
        plural(count, {
          one: `${formatCount(count)} video waiting for approval`,
          other: `${formatCount(count)} videos waiting for approval`,
        }),
      to: `${paths.administrationOf('videos')}?show=waiting`,
    },
    {
      count: overview.waitingComments,
      text: (count: number) =>
        plural(count, {
          one: `${formatCount(count)} comment waiting for approval`,
          other: `${formatCount(count)} comments waiting for approval`,
        }),
      to: `${paths.administrationOf('comments')}?show=held`,
    },
    {
      count: overview.failedVideos,
      text: (count: number) =>
        plural(count, {
          one: `${formatCount(count)} video could not be prepared in every quality`,
          other: `${formatCount(count)} videos could not be prepared in every quality`,
        }),
      to: `${paths.administrationOf('videos')}?show=failed`,
    },
    {
      count: overview.unpreparedVideos,
      text: (count: number) =>
        plural(count, {
          one: `${formatCount(count)} video in preparation`,
          other: `${formatCount(count)} videos in preparation`,
        }),
      to: `${paths.administrationOf('videos')}?show=processing`,
    },
    {
      count: overview.takenDownVideos,
      text: (count: number) =>
        plural(count, {
          one: `${formatCount(count)} video taken down`,
          other: `${formatCount(count)} videos taken down`,
        }),
      to: `${paths.administrationOf('videos')}?show=taken_down`,
    },
    {
      count: overview.suspendedUsers,
      text: (count: number) =>
        plural(count, {
          one: `${formatCount(count)} account suspended`,
          other: `${formatCount(count)} accounts suspended`,
        }),
      to: `${paths.administrationOf('people')}?show=suspended`,
    },
  ].filter(({ count }) => count > 0)
  if (warnings.length === 0) return null
  return (
    <ul className={styles['warnings']} aria-label={t`Needs attention`}>
      {warnings.map(({ count, text, to }) => (
        <li key={to}>
          <Link to={to}>{text(count)}</Link>
        </li>
      ))}
    </ul>
  )
}

function NewestPeople({ people }: { people: readonly Person[] }) {
  const entries = people.map(({ username, fullname, createdAt }) => ({
    to: paths.person(username),
    name: fullname,
    username,
    createdAt,
  }))
  return (
    <Part title={t`Newest accounts`}>
      <Newest entries={entries} />
    </Part>
  )
}

function NewestVideos({ videos }: { videos: readonly ListedVideo[] }) {
  const entries = videos.map(({ title, owner, createdAt }) => ({
    to: paths.administrationOf('videos', title),
    name: title,
    username: owner,
    createdAt,
  }))
  return (
    <Part title={t`Newest videos`}>
      {videos.length === 0 ? (
        <p>{t`Videos that people upload appear here.`}</p>
      ) : (
        <Newest entries={entries} />
      )}
    </Part>
  )
}

function Newest({
  entries,
}: {
  entries: readonly { to: string; name: string; username: string; createdAt: string }[]
}) {
  const [nowMs] = useState(() => Date.now())
  return (
    <ul>
      {entries.map(({ to, name, username, createdAt }) => (
        <li key={`${createdAt} ${name}`}>
          <Link to={to}>
            <bdi>{name}</bdi>{' '}
            <small>
              <bdi>@{username}</bdi>
            </small>
          </Link>
          <small>{formatAge(createdAt, nowMs)}</small>
        </li>
      ))}
    </ul>
  )
}
