import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Db } from '../../../context/database.ts'
import { createDb, createPool } from '@kinora/platform/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '@kinora/platform/testing/test-database.ts'
import { getProfile } from '../../watching/channels/queries.ts'
import { listUnreadFileCaptions } from '../captions/queries.ts'
import {
  findPinned,
  listComments,
  listHeld,
  listReplies,
} from '../../conversation/comments/queries/comments.ts'
import { listMentionable } from '../../conversation/comments/queries/people.ts'
import { listWatched } from '../../watching/history/queries.ts'
import { findCommentLike, findVideoLike, getVideoLikesCount } from '../../conversation/likes/queries.ts'
import { listCaptionsWith, listDescriptionsWith } from '../../watching/search/queries/moments.ts'
import { listResults } from '../../watching/search/queries/results.ts'
import { listFoundChannels, listSuggestedVideos } from '../../watching/search/queries/suggestions.ts'
import { listPartsOf, listSimilarWords, listWordMatches } from '../../watching/search/queries/vocabulary.ts'
import { planSearch } from '../../watching/search/rules.ts'
import { deleteHidden } from '../../messages/notifications/queries/videos.ts'
import { listHiddenByThumbnail, listShownPictures } from '../../pictures/queries.ts'
import { getOwnerShare } from '../playback/queries.ts'
import { mayViewVideo, members, visitors } from '../../visibility/queries.ts'
import { listFeed, listSubscriptions } from '../../watching/subscriptions/queries.ts'
import { deleteOldDeliveries } from '../../messages/webhooks/queries.ts'
import { isSourceNeeded } from '../uploads/queries.ts'
import { getChannelOf, getUser } from '../../accounts/users/queries.ts'
import * as lists from './queries/list-videos.ts'
import { lockShownVideo } from './queries/lock-videos.ts'
import * as videos from './queries/videos.ts'
import { getTotals, insertViews } from './queries/views.ts'

let database: TestDatabase
let db: Db
const videoId = 'video7'
const limit = 24
const cursor = { at: '2026-01-01T00:00:00.000Z', id: 'video9' }

/** Fifty thousand rows per table, so that PostgreSQL would plan an index scan. */
const fill = `
  set session_replication_role = replica;
  insert into users (id, username, email, fullname, password_hash, avatar, cover_image, deletes_at)
  select 'user' || n, 'user' || n, 'user' || n || '@example.org', 'Name', 'x', 'avatar' || n, 'cover' || n,
    case when n % 5 = 0 then now() end
  from generate_series(1, 50000) n;
  insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds,
    width, height, source, tags, created_at, visibility)
  select 'video' || n, 'user' || 1 + n % 5000, 'Title', 'Description', 'x' || n, 'x', 1, 1, 640, 360, '{}',
    array[case when n % 5 = 0 then 'common' else 'tag' || n end],
    now() - n * interval '1 minute', (array['private', 'public', 'members', 'public', 'unlisted', 'public'])[1 + n % 6]
  from generate_series(1, 50000) n;
  insert into video_viewers (video_id, user_id) select 'video' || n, 'user' || 1 + n % 900 from generate_series(1, 50000) n;
  insert into comments (id, video_id, author_id, content, created_at)
  select 'comment' || n, 'video' || 1 + n % 9000, 'user' || n, 'Content', now() - n * interval '1 second'
  from generate_series(1, 50000) n;
  insert into captions (id, video_id, language, label, content)
  select 'captions' || n, 'video' || 1 + n % 9000, 'en', 'English', 'WEBVTT' from generate_series(1, 50000) n;
  insert into video_likes (video_id, user_id) select 'video' || n, 'user' || 1 + n % 900 from generate_series(1, 50000) n;
  insert into comment_likes (comment_id, user_id)
  select 'comment' || n, 'user' || 1 + n % 900 from generate_series(1, 50000) n;
  insert into watch_history (user_id, video_id, watched_at)
  select 'user' || 1 + n % 900, 'video' || n, now() from generate_series(1, 50000) n;
  insert into subscriptions (subscriber_id, channel_id)
  select 'user' || 1 + n % 900, 'user' || n from generate_series(1, 50000) n;
  insert into muted_people (user_id, person_id, is_blocked)
  select 'user' || 1 + n % 900, 'user' || n, n % 2 = 0 from generate_series(1, 50000) n;
  insert into collaborators (channel_id, user_id, role, created_at)
  select 'user' || 1 + n % 900, 'user' || n, 'editor', now() from generate_series(901, 50000) n;
  insert into share_links (id, video_id, name, secret, password_hash, allows_download, created_at, is_listed)
  select 'link' || n, 'video' || n, 'Class', 'secret' || n, 'x', false, now(), n % 100 = 0 from generate_series(1, 50000) n;
  insert into intros (channel_id, kind, video_id) select 'user' || n, 'intro', 'video' || n from generate_series(1, 50000) n;
  insert into notifications (user_id, kind, video_id)
  select 'user' || 1 + n % 900, 'video', 'video' || n from generate_series(1, 50000) n;
  insert into webhook_deliveries (id, webhook_id, event, subject_id, data)
  select 'delivery' || n, 'webhook' || 1 + n % 900, 'video.published', 'video' || n, '{}'
  from generate_series(1, 50000) n;
  insert into channel_profiles (user_id) select 'user' || n from generate_series(1, 50000) n;
  insert into pending_views (video_id) select 'video' || n from generate_series(1, 50000) n;
  insert into video_search (video_id, created_at, head, document, is_prominent)
  select 'video' || n, now() - n * interval '1 minute', 'title:1A name:2B',
    ('title:1A name:2B rare' || n % 5000 || ':3C')::tsvector, n % 5 = 0 from generate_series(1, 50000) n;
  insert into caption_search (captions_id, document)
  select 'captions' || n, ('the rare' || n % 5000)::tsvector from generate_series(1, 50000) n;
  insert into file_captions (video_id, file_track, content, document)
  select 'video' || n, 0, 'WEBVTT', ('the rare' || n % 5000)::tsvector from generate_series(1, 50000) n;
  insert into channel_search (user_id, document)
  select 'user' || n, ('name:2B user' || n || ':2B')::tsvector from generate_series(1, 50000) n;
  insert into search_vocabulary (word, variants)
  select word, search_variants(word)
  from (select translate(md5(n::text), '0123456789', 'ghijklmnop') as word from generate_series(1, 50000) n) words;
  analyze;
`

beforeAll(async () => {
  database = await createTestDatabase()
  const client = new Client(database.url)
  await client.connect()
  await client.query(fill)
  await client.end()
  // one connection, which has all prepared statements; dropping the database may end it first
  db = createDb<Database>(createPool(database.url, 1).on('error', () => undefined))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** A member with choices about lists. */
const choosy = { ...members, hidesSensitive: true, languages: ['de', 'en'] }

test('no read scans a whole table', async () => {
  await lists.listVideos(db, { cursor: undefined, limit })
  await lists.listVideos(db, { cursor, limit })
  await lists.listMatchingVideos(db, { tag: 'rare', category: undefined }, { cursor, limit })
  await lists.listChannelVideos(db, 'user2', { cursor, limit }, { id: 'user3' })
  await lists.listVideos(db, { cursor, limit }, members)
  await lists.listVideos(db, { cursor, limit }, { ...members, mutedBy: 'user3' })
  await lists.listVideos(db, { cursor, limit }, choosy)
  for (const viewer of [null, 'user3']) await videos.getVideo(db, videoId, viewer)
  await mayViewVideo(db, videoId, 'user3')
  await listHiddenByThumbnail(db, ['x'])
  await getTotals(db, 'user2')
  await insertViews(db, [{ videoId, viewedAt: new Date(), count: 1, isAllowed: true }])
  for (const viewer of [null, 'user3']) {
    await listComments(db, videoId, viewer, { cursor: undefined, limit })
    await listComments(db, videoId, viewer, { cursor, limit })
    await listComments(db, videoId, viewer, { cursor: { ...cursor, id: '3-comment4' }, limit }, 'top')
    await listReplies(db, 'comment4', viewer, { cursor, limit })
    await findPinned(db, videoId, viewer)
  }
  await listHeld(db, videoId, 'user3', { cursor, limit })
  await listMentionable(db, videoId, 'user3', 'us', limit)
  await getVideoLikesCount(db, videoId, 'user3')
  await findVideoLike(db, videoId, 'user3')
  await findCommentLike(db, 'comment4', 'user3')
  await listWatched(db, 'user3', { cursor: undefined, limit })
  await listWatched(db, 'user3', { cursor, limit })
  await listSubscriptions(db, 'user3', { cursor, limit })
  await listFeed(db, 'user3', { cursor: undefined, limit }, members)
  await listFeed(db, 'user3', { cursor, limit }, choosy)
  await deleteHidden(db, videoId, limit)
  await listShownPictures(db, ['x'])
  await lockShownVideo(db, videoId)
  await isSourceNeeded(db, `sources/${videoId}/attempt`)
  await getOwnerShare(db, videoId)
  await deleteOldDeliveries(db, ['webhook7'])
  await getUser(db, 'user3')
  await getChannelOf(db, 'user3', 'user4')
  await getProfile(db, 'user2', 'user3')

  const match = (word: string, videosCount: number) =>
    ({ word, match: word, kind: 'exact', videosCount }) as const
  await listWordMatches(db, 'title unkonwn')
  await listSimilarWords(db, ['unkonwns'])
  await listPartsOf(db, ['unkonwns'])
  for (const audience of [visitors, members, { ...members, mutedBy: 'user3' }, choosy]) {
    await listSuggestedVideos(db, 'title 1', 5, audience)
    await listSuggestedVideos(db, 't', 5, audience)
    await listFoundChannels(db, 'user', 3, audience)
  }
  for (const viewer of [null, 'user3']) {
    await listCaptionsWith(db, 'the rare7', viewer, 8)
    await listDescriptionsWith(db, 'title rare7', viewer, 8)
  }
  for (const plan of [
    planSearch(['rare7'], [match('rare7', 10)], 50_000),
    planSearch(['title'], [match('title', 50_000)], 50_000),
    planSearch(['title', 'rare7'], [match('title', 50_000), match('rare7', 10)], 50_000),
  ]) {
    await listResults(db, 'title', plan, undefined, limit)
    await listResults(db, 'title', plan, undefined, limit, members)
    await listResults(db, 'title', plan, undefined, limit, { ...members, mutedBy: 'user3' })
    await listResults(db, 'title', plan, undefined, limit, choosy)
    await listResults(db, 'title', plan, { score: 1, at: cursor.at, id: cursor.id }, limit)
  }

  const prepared = await preparedStatements(db)
  expect(prepared.length).toBeGreaterThanOrEqual(20)
  for (const statement of prepared) {
    expect
      .soft(await planOf(statement), statement)
      .not.toMatch(
        /Seq Scan on (?!pg_|hidden_accounts|registrations|resumable_uploads|site_settings|cut_deletions)/,
      )
  }
})

test('looks hidden pictures up by their names', async () => {
  await listHiddenByThumbnail(db, ['avatar5', 'cover10'])
  const statement = (await preparedStatements(db)).find((each) => each.includes('or cover_image = any'))
  const plan = await planOf(statement ?? '')
  for (const index of ['users_avatar', 'users_cover_image']) expect(plan).toContain(`on ${index}`)
})

test('reads no description of a file whose captions are indexed', async () => {
  const [statement = ''] = await statementsOf(() => listUnreadFileCaptions(db, 20))
  const plan = await planOf(statement)
  expect(plan).toMatch(/Limit[\s\S]*Limit[\s\S]*using videos_with_file_captions/)
})

test('finds the videos of a tag by its index, and walks from the newest only for a common one', async () => {
  const list = (tag: string) =>
    statementsOf(() => lists.listMatchingVideos(db, { tag }, { cursor: undefined, limit }, members))
  const byIndex = await list('tag7')
  expect(byIndex.length).toBeGreaterThan(0)
  for (const statement of byIndex) expect(await planOf(statement)).toContain('on videos_tags')
  const [walk = '', ...others] = await list('common')
  expect(others).toEqual([])
  const plan = await planOf(walk)
  expect(plan).toContain('using videos_newest_members')
  expect(plan).not.toContain('on videos_tags')
})

/** The plan that a connection without settings makes for a prepared statement of any parameters. */
async function planOf(statement: string): Promise<string> {
  const client = new Client(database.url)
  await client.connect()
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.end()
  }
}

/** Statements that `work` is the first to run. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Set(await preparedStatements(db))
  await work()
  return (await preparedStatements(db)).filter((statement) => !before.has(statement))
}

async function preparedStatements(asked: Db): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where statement not like '%pg_prepared_statements%'`.execute(
    asked,
  )
  return rows.map(({ statement }) => statement)
}
