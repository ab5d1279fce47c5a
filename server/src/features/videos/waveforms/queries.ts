import { sql } from 'kysely'
import type { Waveform } from '@kinora/contract/videos/waveforms.ts'
import type { Db } from '../../../context/database.ts'

export interface WaveformRow {
  state: Exclude<Waveform['state'], 'none'>
  intervalSeconds: number
  peaks: Uint8Array
}

/** The waveform of the file that a video has now; undefined if none was requested. */
export function findWaveform(db: Db, videoId: string): Promise<WaveformRow | undefined> {
  return db
    .selectFrom('waveforms as w')
    .innerJoin('videos as v', (join) =>
      join.onRef('v.id', '=', 'w.videoId').onRef('v.sourceKey', '=', 'w.sourceKey'),
    )
    .select(['w.state', 'w.intervalSeconds', 'w.peaks'])
    .where('w.videoId', '=', videoId)
    .$narrowType<Pick<WaveformRow, 'state'>>()
    .executeTakeFirst()
}

/** Makes the waveform of a video wait. Does nothing if it has one of its file, unless that failed. */
export async function putWaiting(db: Db, videoId: string): Promise<void> {
  await sql`
    insert into waveforms as w (video_id, source_key)
    select id, source_key from videos where id = ${videoId}
    on conflict (video_id) do update
      set source_key = excluded.source_key, state = 'waiting', interval_seconds = 0, peaks = ''
      where w.source_key <> excluded.source_key or w.state = 'failed'`.execute(db)
}

/** The file of a video that a job reads. */
interface File {
  id: string
  sourceKey: string
}

/** Adds peaks after the first `count`. Does nothing if there are others, or the file was replaced. */
export async function appendPeaks(
  db: Db,
  { id, sourceKey }: File,
  count: number,
  { intervalSeconds, peaks }: Pick<WaveformRow, 'intervalSeconds' | 'peaks'>,
): Promise<void> {
  await sql`
    update waveforms set peaks = peaks || ${Buffer.from(peaks)}::bytea, interval_seconds = ${intervalSeconds}
    where video_id = ${id} and source_key = ${sourceKey} and length(peaks) = ${count}`.execute(db)
}

/** Sets how drawing the waveform of a file has ended. */
export async function endWaveform(
  db: Db,
  { id, sourceKey }: File,
  state: WaveformRow['state'],
): Promise<void> {
  await db
    .updateTable('waveforms')
    .set({ state })
    .where('videoId', '=', id)
    .where('sourceKey', '=', sourceKey)
    .execute()
}

/** Deletes the waveform of a video. One of its file is drawn when it is asked for. */
export async function deleteWaveform(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('waveforms').where('videoId', '=', videoId).execute()
}
