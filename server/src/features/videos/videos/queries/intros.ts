import { introMaxSeconds } from '@kinora/contract/constants.ts'
import { type RawBuilder, sql } from 'kysely'
import { isNotTakenDown, isShareVisit, isVisible, type ShareVisit } from '../../../visibility/queries.ts'

/** A file ends a little after the length that editors show. */
const slackSeconds = 0.5

/** Whether a video is short and published, as an intro or outro of its channel has to be. */
export const isShortAndPublished = (table: string): RawBuilder<boolean> => {
  const [visibility, state] = [sql.ref(`${table}.visibility`), sql.ref(`${table}.processing_state`)]
  return sql<boolean>`(${visibility} in ('public', 'unlisted', 'members') and ${state} <> 'failed'
    and ${isNotTakenDown(table)} and not ${sql.ref(`${table}.is_live`)}
    and ${sql.ref(`${table}.duration_seconds`)} <= ${introMaxSeconds + slackSeconds}::float8)`
}

/** Whether a video is watched at any time: neither a live stream nor a premiere that runs. */
const isOnDemand = sql<boolean>`(not v.is_live
  and (v.premiere_at is null or v.premiere_at + make_interval(secs => v.duration_seconds) < now()))`

/**
 * Intro and outro of the channel of a video `v`, as far as the viewer may see them; null for none. They have none themselves, and
 * sensitive ones stand only beside sensitive videos. The visit of a share link does not open them: players load them without it.
 */
export const introsOf = (viewerId: string | ShareVisit | null) => sql<{
  intro?: string
  outro?: string
} | null>`
  case when v.plays_intros and ${isOnDemand} then (
    select json_object_agg(chosen.kind, chosen.video_id)
    from intros chosen join videos intro on intro.id = chosen.video_id and intro.owner_id = v.owner_id
    where chosen.channel_id = v.owner_id and ${isVisible(isShareVisit(viewerId) ? null : viewerId, 'intro')} and ${isShortAndPublished('intro')}
      and (intro.sensitive_reason is null or v.sensitive_reason is not null)
      and not exists (select from intros own where own.video_id = v.id and own.channel_id = v.owner_id)
  ) end`
