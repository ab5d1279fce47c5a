import type { LiveEndReason, LiveHealth, LiveStatus, LiveStream } from '@kinora/contract/live/live-streams.ts'
import type { Visibility } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { viewersNow } from './parts.ts'

interface StreamRow {
  videoId: string
  title: string
  visibility: Visibility
  username: string
  fullname: string
  startedAt: Date
  endedAt: Date | null
  endReason: LiveEndReason | null
  isConnected: boolean
  isFromBrowser: boolean
  keepsRecording: boolean
  durationSeconds: number
  sizeBytes: number
  viewers: number
  peakViewers: number
  health: LiveHealth | null
}

const columns = (now: Date) => sql`
  live_streams.video_id, v.title, v.visibility, o.username, o.fullname, live_streams.started_at, live_streams.ended_at,
  live_streams.end_reason, live_streams.is_connected, live_streams.is_from_browser, live_streams.keeps_recording, live_streams.peak_viewers, live_streams.health,
  coalesce((last.end_micros / 1e6)::float8, 0) as duration_seconds,
  coalesce(case
    when last.file = 0 then last.position + last.video_bytes + last.audio_bytes
    else (select sum(video_bytes + audio_bytes) from live_parts where live_parts.video_id = live_streams.video_id)
  end::float8, 0) as size_bytes,
  (${viewersNow(now)}) as viewers`

const tables = sql`
  live_streams join videos v on v.id = live_streams.video_id join users o on o.id = live_streams.channel_id
  left join lateral (
    select * from live_parts p where p.video_id = live_streams.video_id order by part desc limit 1
  ) last on true`

/** The stream of a channel that runs, or else its last one. */
export async function findStreamOf(db: Db, channelId: string, now: Date): Promise<LiveStream | null> {
  const { rows } = await sql<StreamRow>`
    select ${columns(now)} from ${tables} where live_streams.channel_id = ${channelId}
    order by live_streams.ended_at is null desc, live_streams.started_at desc limit 1`.execute(db)
  const [row] = rows
  return row ? toStream(row) : null
}

/** The streams that run, the newest first. */
export async function listStreams(db: Db, now: Date): Promise<LiveStream[]> {
  const { rows } = await sql<StreamRow>`
    select ${columns(now)} from ${tables} where live_streams.ended_at is null
    order by live_streams.started_at desc`.execute(db)
  return rows.map(toStream)
}

const toStream = ({ startedAt, endedAt, ...row }: StreamRow): LiveStream => ({
  ...row,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
})

/** Figures of all streams that run. */
export interface StreamSummary {
  connected: number
  waiting: number
  viewers: number
  bitsPerSecond: number
  lateSeconds: number
  /** Waiting time of the oldest piece from a browser. */
  pieceSeconds: number
}

export async function summarizeStreams(db: Db, now: Date): Promise<StreamSummary> {
  const { rows } = await sql<StreamSummary>`
    select count(*) filter (where is_connected)::int as connected, count(*) filter (where not is_connected)::int as waiting,
      coalesce(sum((${viewersNow(now)})), 0)::int as viewers,
      coalesce(sum((health->>'bitsPerSecond')::float8) filter (where is_connected), 0) as bits_per_second,
      coalesce(max((health->>'lateMs')::float8) filter (where is_connected), 0) / 1000 as late_seconds,
      coalesce((
        select extract(epoch from ${now}::timestamptz - min(received_at))::float8
        from live_pieces join live_browsers using (channel_id) where live_browsers.end_reason is null
      ), 0) as piece_seconds
    from live_streams where ended_at is null`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An aggregate has one row')
  return row
}

/** Status for the watch page; null for a video that never was live. The caller checks visibility. */
export async function findStatus(db: Db, videoId: string, now: Date): Promise<LiveStatus | null> {
  const { rows } = await sql<{
    isConnected: boolean
    startedAt: Date
    endedAt: Date | null
    viewers: number
  }>`
    select is_connected, started_at, ended_at, (${viewersNow(now)}) as viewers from live_streams where video_id = ${videoId}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return null
  const { isConnected, startedAt, endedAt, viewers } = row
  return {
    isLive: endedAt === null,
    isConnected: isConnected && endedAt === null,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    viewers,
  }
}
