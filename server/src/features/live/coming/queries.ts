import type { ComingVideo } from '@kinora/contract/live/coming.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import {
  type Audience,
  isListed,
  isNotLeftOut,
  isNotMuted,
  isUpcomingPremiere,
  isUpcomingStream,
} from '../../visibility/queries.ts'
import { announcedColumns, announcedVideoOf, type AnnouncedRow } from '../premieres/queries.ts'

/** Entries of the list. */
const LIMIT = 100

interface ComingRow extends AnnouncedRow {
  kind: ComingVideo['kind']
  isNow: boolean
  durationSeconds: number
}

/** A coming video, and how long it lasts; 0 for a stream. */
export type TimedComing = ComingVideo & { durationSeconds: number }

export interface ComingFilter {
  viewerId: string | null
  audience: Audience
  /** Username of a channel. */
  channel?: string | undefined
  /** Only of channels that the viewer follows. */
  isSubscribed?: boolean
  now: Date
}

/** Streams and premieres that run, and those that are announced and listed. */
export async function listComing(
  db: Db,
  { viewerId, audience, channel, isSubscribed = false, now }: ComingFilter,
): Promise<TimedComing[]> {
  const at = sql`${now}::timestamptz`
  // Announcements of muted people are on their channels alone.
  const { mutedBy: _, ...shown } = audience
  const isOfUnmuted = channel === undefined ? isNotMuted(viewerId, 'v.owner_id') : sql`true`
  const ofChannel = channel === undefined ? sql`` : sql`and lower(o.username) = lower(${channel})`
  const ofSubscriptions = isSubscribed
    ? sql`and exists (select from subscriptions s where s.subscriber_id = ${viewerId} and s.channel_id = v.owner_id)`
    : sql``
  const { rows } = await sql<ComingRow>`
    with coming as (
      select v.id, s.started_at as starts_at, true as is_now, 'stream' as kind
      from live_streams s join videos v on v.id = s.video_id where s.ended_at is null and ${isListed(shown)}
      union all
      select v.id, v.premiere_at, true, 'premiere' from videos v
      where v.premiere_at > ${at} - interval '1 day' and v.premiere_at <= ${at}
        and ${at} < v.premiere_at + make_interval(secs => v.duration_seconds) and ${isListed(shown)}
      union all
      select v.id, v.premiere_at, false, 'premiere' from videos v
      where v.premiere_at > ${at} - interval '1 minute' and ${isUpcomingPremiere()}
      union all
      select v.id, v.chat_from, false, 'stream' from videos v
      where v.announced_visibility in ('public', 'members') and ${isUpcomingStream(viewerId)}
    )
    select ${announcedColumns(viewerId)}, coming.kind, coming.starts_at, coming.is_now, v.duration_seconds
    from coming join videos v on v.id = coming.id join users o on o.id = v.owner_id
    where ${isNotLeftOut(audience)} and ${isOfUnmuted} ${ofChannel} ${ofSubscriptions}
    order by coming.is_now desc, coming.starts_at, v.id limit ${LIMIT}`.execute(db)
  return rows.map((row) => ({
    ...announcedVideoOf(row),
    kind: row.kind,
    isNow: row.isNow,
    durationSeconds: row.durationSeconds,
  }))
}
