import type { ListedVideo, Overview, Person } from '@kinora/contract/administration.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { allVideosQuery, newestFive, overviewQuery, peopleQuery } from '../../features/administration/api.ts'
import { Tile, Tiles } from '../../features/administration/tiles.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { formatAge } from '../../lib/format/age.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { countOf, formatFullCount } from '../../lib/format/counts.ts'
import { paths } from '../../paths.ts'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import styles from './overview-page.module.css'

/** What the site holds, what needs attention, and what is new. */
export function OverviewPage() {
  return (
    <>
      <PageTitle title="Administration" />
      <SiteOverview />
    </>
  )
}

function SiteOverview() {
  const { data, isError, refetch } = useQuery(overviewQuery)
  const { data: people } = useQuery(peopleQuery(newestFive))
  const { data: videos } = useQuery(allVideosQuery(newestFive))
  if (isError && !data)
    return <LoadFailure title="Could not load the overview" onRetry={() => void refetch()} />
  if (!data) return <Skeleton className={styles['skeleton']} height={240} />
  return (
    <>
      <Warnings overview={data} />
      <Tiles>
        <Tile
          label="Accounts"
          value={formatFullCount(data.users)}
          note={`${formatFullCount(data.signedIn)} signed in`}
        />
        <Tile
          label="Videos"
          value={formatFullCount(data.videos)}
          note={`${formatFullCount(Math.round(data.hoursOfVideo))} hours`}
        />
        <Tile
          label="Views"
          value={formatFullCount(data.views)}
          note={`${formatFullCount(data.viewsOf28Days)} in 28 days`}
        />
        <Tile
          label="Comments"
          value={formatFullCount(data.comments)}
          note={`${countOf(data.likes, 'like')}, ${countOf(data.subscriptions, 'subscription')}`}
        />
        <Tile
          label="Uploaded files"
          value={formatBytes(data.sourceBytes)}
          note={`${formatBytes(data.databaseBytes)} in the database`}
        />
      </Tiles>
      <div className={styles['newest']}>
        {people && <NewestPeople people={people.entries} />}
        {videos && <NewestVideos videos={videos.entries} />}
      </div>
    </>
  )
}

/** What somebody should look at, with a link to it. */
function Warnings({ overview }: { overview: Overview }) {
  const warnings = [
    {
      count: overview.openReports,
      text: (count: string) => `${count} waiting for a decision`,
      to: paths.administrationOf('reports'),
      noun: 'report',
    },
    {
      count: overview.waitingUsers,
      text: (count: string) => `${count} waiting for approval`,
      to: `${paths.administrationOf('people')}?show=waiting`,
      noun: 'account',
    },
    {
      count: overview.failedVideos,
      text: (count: string) => `${count} could not be prepared in every quality`,
      to: `${paths.administrationOf('videos')}?show=failed`,
      noun: 'video',
    },
    {
      count: overview.unpreparedVideos,
      text: (count: string) => `${count} in preparation`,
      to: `${paths.administrationOf('videos')}?show=processing`,
      noun: 'video',
    },
    {
      count: overview.takenDownVideos,
      text: (count: string) => `${count} taken down`,
      to: `${paths.administrationOf('videos')}?show=taken_down`,
      noun: 'video',
    },
    {
      count: overview.suspendedUsers,
      text: (count: string) => `${count} suspended`,
      to: `${paths.administrationOf('people')}?show=suspended`,
      noun: 'account',
    },
  ].filter(({ count }) => count > 0)
  if (warnings.length === 0) return null
  return (
    <ul className={styles['warnings']} aria-label="Worth a look">
      {warnings.map(({ count, text, to, noun }) => (
        <li key={to}>
          <Link to={to}>{text(countOf(count, noun))}</Link>
        </li>
      ))}
    </ul>
  )
}

function NewestPeople({ people }: { people: readonly Person[] }) {
  const [nowMs] = useState(() => Date.now())
  return (
    <section aria-labelledby="newest-people">
      <h2 id="newest-people">Newest accounts</h2>
      <ul>
        {people.map(({ _id, username, fullname, createdAt }) => (
          <li key={_id}>
            <Link to={paths.administrationOf('people', username)}>
              <bdi>{fullname}</bdi> <small>@{username}</small>
            </Link>
            <small>{formatAge(createdAt, nowMs)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NewestVideos({ videos }: { videos: readonly ListedVideo[] }) {
  const [nowMs] = useState(() => Date.now())
  return (
    <section aria-labelledby="newest-videos">
      <h2 id="newest-videos">Newest videos</h2>
      {videos.length === 0 && <p>Videos that people upload appear here.</p>}
      <ul>
        {videos.map(({ _id, title, owner, createdAt }) => (
          <li key={_id}>
            <Link to={paths.administrationOf('videos', title)}>
              <bdi>{title}</bdi> <small>@{owner}</small>
            </Link>
            <small>{formatAge(createdAt, nowMs)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
