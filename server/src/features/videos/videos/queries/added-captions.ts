import { sql } from 'kysely'
import type { AddedCaptions } from '../rules.ts'

/** The captions that the owner of `v` has added, without their texts; null where there are none. */
export const addedCaptions = sql<AddedCaptions[] | null>`(
  select json_agg(json_build_object(
    'id', c.id, 'language', c.language, 'label', c.label, 'isDefault', c.is_default,
    'fileTrack', c.file_track, 'version', c.version, 'isAutomatic', c.is_automatic
  ) order by c.label, c.id) from captions c where c.video_id = v.id)`
