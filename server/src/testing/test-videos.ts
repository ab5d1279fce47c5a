import type { Insertable } from 'kysely'
import type { Database } from '../database.ts'
import { insertVideo } from '../features/videos/queries/videos.ts'
import { newId } from '../platform/ids.ts'
import type { TestApp } from './test-app.ts'

/** A row for a video of somebody; there is no file behind it. */
export function videoRow(
  ownerId: string,
  fields: Partial<Insertable<Database['videos']>> = {},
): Insertable<Database['videos']> {
  const id = fields.id ?? newId()
  return {
    id,
    ownerId,
    title: `Video ${id}`,
    description: 'No description',
    thumbnail: newId(),
    sourceKey: `sources/${id}/attempt1`,
    sizeBytes: 1000,
    durationSeconds: 36.5,
    width: 640,
    height: 360,
    source: { container: 'mp4' },
    ...fields,
  }
}

/** Lists a video as an upload would; answers its id. */
export async function addVideo(
  site: TestApp,
  ownerId: string,
  fields: Partial<Insertable<Database['videos']>> = {},
): Promise<string> {
  const row = videoRow(ownerId, fields)
  await insertVideo(site.db, row)
  return row.id
}
