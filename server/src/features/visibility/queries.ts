import { type RawBuilder, sql } from 'kysely'

/**
 * Who may see a video, as conditions for any query that calls the table of videos `table`. Every read that a visitor
 * causes has one of them; nothing else decides it.
 */

/** Whether operators have left the video standing: the background works for no other. */
export function isStanding(table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.takedown_reason`)} is null`
}

/** Whether lists, search and feeds show the video. */
export function isListed(table = 'v'): RawBuilder<boolean> {
  return isStanding(table)
}

/** Whether the video can be opened by its address. */
export function isVisible(table = 'v'): RawBuilder<boolean> {
  return isStanding(table)
}
