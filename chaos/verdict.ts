import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createContext } from '../server/src/app/create-context.ts'
import { readConfig } from '../server/src/context/config.ts'
import type { Context } from '../server/src/context/context.ts'
import { sweepPictures } from '../server/src/features/pictures/jobs.ts'
import { resumePreparation } from '../server/src/features/videos/playback/jobs.ts'
import { clearStale } from '../server/src/features/videos/uploads/actions/clear-stale.ts'
import { findEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { failedQueue } from '@kinora/platform/jobs/jobs.ts'
import { isWholeMp4 } from './clients.ts'
import type { Ledger, VideoFact } from './ledger.ts'
import type { VictimSite } from './site.ts'

const quietDeadlineMs = 120_000

/** Compares the site, after the faults, with the ledger and records every difference as a violation. */
export async function judge(site: VictimSite, ledger: Ledger): Promise<void> {
  const url = await findEmbedded(site.dataDir)
  if (!url) throw new Error('No database found')
  const config = readConfig({ DATA_DIR: site.dataDir, LOG_LEVEL: 'error' })
  const context = await createContext(config, url, 'web')
  const addViolation = (sentence: string) => ledger.violations.push(sentence)
  try {
    await untilQuiet(context, addViolation)
    await runLaterCleanUp(context)
    await untilQuiet(context, addViolation)
    await checkVideos(site, context, ledger, addViolation)
    await checkConversation(context, ledger, addViolation)
    // reading the videos has enqueued segments and read-ahead
    await untilQuiet(context, addViolation)
    await checkCounters(context, addViolation)
    await checkViews(context, ledger, addViolation)
    await checkFiles(context, addViolation)
  } finally {
    await context.close()
  }
}

type ReportViolation = (sentence: string) => void

/** Waits until no job is due or running. Gives up after two minutes without any change. */
async function untilQuiet({ db }: Context, addViolation: ReportViolation): Promise<void> {
  let changedAt = performance.now()
  let before = ''
  for (;;) {
    const { rows } = await sql<{ name: string; state: string; count: number }>`
      select name, state::text, count(*)::int as count from pgboss.job
      where name <> ${failedQueue}
        and (state in ('retry', 'active') or (state = 'created' and start_after <= now() + interval '20 s'))
      group by 1, 2`.execute(db)
    if (rows.length === 0) break
    const now = JSON.stringify(rows)
    if (now !== before) changedAt = performance.now()
    before = now
    if (performance.now() - changedAt > quietDeadlineMs) {
      return addViolation(
        `jobs are stuck: ${rows.map(({ name, state, count }) => `${count} ${name} ${state}`).join(', ')}`,
      )
    }
    await delay(250)
  }
}

/** Runs the clean-up jobs now that usually run days later. */
async function runLaterCleanUp(context: Context): Promise<void> {
  const clock = { now: () => new Date(Date.now() + 40 * dayMs) }
  await clearStale({ ...context, clock })
  await context.jobs.enqueue(context.db, resumePreparation, {})
  await runWaiting(context)
  // the sweep refuses to run while many deletions are pending, and defers its own jobs by a day
  await context.jobs.enqueue(context.db, sweepPictures, {})
  for (let round = 0; round < 2; round += 1) await runWaiting(context)
}

/** Runs jobs that wait for their time, and waits until they are done. */
async function runWaiting(context: Context): Promise<void> {
  await delay(2500)
  await sql`update pgboss.job set start_after = now() where state in ('created', 'retry')`.execute(context.db)
  await untilQuiet(context, () => undefined)
}

async function checkVideos(
  site: VictimSite,
  { db }: Context,
  ledger: Ledger,
  addViolation: ReportViolation,
): Promise<void> {
  const rows = await db
    .selectFrom('videos')
    .select(['id', 'title', 'processingState', 'processingReason'])
    .execute()
  const there = new Map(rows.map((row) => [row.id, row]))
  for (const fact of ledger.videos.values()) {
    if (fact.existence === 'yes' && !there.has(fact.id))
      addViolation(`${fact.title} was published and is lost`)
    if (fact.existence === 'no' && there.has(fact.id))
      addViolation(`${fact.title} was deleted and is still there`)
    if (!there.has(fact.id)) {
      const { status } = await fetch(`${site.origin}/media/videos/${fact.id}/master.m3u8`)
      if (status !== 404) addViolation(`${fact.title} is gone, but its playlist returns ${status}`)
    }
  }
  for (const row of rows) {
    if (row.processingState !== 'ready')
      addViolation(`${row.title} is stuck: ${row.processingState} ${row.processingReason}`)
    if (!ledger.videos.has(row.id) && !ledger.doubtfulTitles.has(row.title))
      addViolation(`nobody uploaded ${row.title}`)
    await checkPlayable(site, { id: row.id, title: row.title }, ledger.videos.get(row.id), addViolation)
  }
  const titles = Map.groupBy(rows, ({ title }) => title)
  for (const [title, same] of titles)
    if (same.length > 1) addViolation(`${title} is there ${same.length} times`)
}

async function checkPlayable(
  { origin }: VictimSite,
  { id, title }: { id: string; title: string },
  fact: VideoFact | undefined,
  addViolation: ReportViolation,
): Promise<void> {
  const get = async (path: string): Promise<Buffer> => {
    for (let tries = 0; ; tries += 1) {
      const response = await fetch(new URL(path, origin))
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.ok) return bytes
      // a segment that is not encoded yet may take two requests
      if (tries < 3 && response.status === 503) continue
      addViolation(`${title}: ${path} returns ${response.status}`)
      return Buffer.alloc(0)
    }
  }
  const {
    data: [data],
  } = JSON.parse(String(await get(`/api/v1/video/${id}`))) as {
    data: [{ thumbnail: string; videoFile: string }]
  }
  await get(data.thumbnail)
  const file = await get(data.videoFile)
  if (fact && file.length !== fact.sizeBytes)
    addViolation(`${title} has ${file.length} bytes instead of ${fact.sizeBytes}`)
  const base = `/media/videos/${id}/`
  const lists = String(await get(`${base}master.m3u8`)).match(/^[\w/]+\.m3u8$|(?<=URI=")[\w/]+\.m3u8/gm) ?? []
  if (lists.length === 0) addViolation(`${title} has no rendition`)
  for (const list of lists) {
    const parts = String(await get(base + list)).match(/\w+\.(m4s|mp4)/g) ?? []
    for (const part of new Set(parts)) {
      const path = base + list.replace(/[^/]+$/, part)
      if (!isWholeMp4(await get(path))) addViolation(`${title}: ${path} is truncated`)
    }
  }
}

async function checkConversation(
  { db }: Context,
  ledger: Ledger,
  addViolation: ReportViolation,
): Promise<void> {
  const comments = await db
    .selectFrom('comments')
    .select(['id', 'videoId', 'content'])
    .where('deletedAt', 'is', null)
    .execute()
  const ids = new Set(comments.map(({ id }) => id))
  const videos = new Set((await db.selectFrom('videos').select('id').execute()).map(({ id }) => id))
  for (const fact of ledger.comments.values()) {
    if (!videos.has(fact.videoId)) continue
    if (fact.existence === 'yes' && !ids.has(fact.id)) addViolation(`the comment "${fact.content}" is lost`)
    if (fact.existence === 'no' && ids.has(fact.id)) addViolation(`the comment "${fact.content}" came back`)
  }
  for (const { id, content } of comments) {
    if (!ledger.comments.has(id) && !ledger.doubtfulComments.has(content))
      addViolation(`an unknown comment: "${content}"`)
  }
  const names = new Map(
    (await db.selectFrom('users').select(['id', 'username']).execute()).map(({ id, username }) => [
      id,
      username,
    ]),
  )
  const videoLikes = await db.selectFrom('videoLikes').select(['userId', 'videoId']).execute()
  const commentLikes = await db.selectFrom('commentLikes').select(['userId', 'commentId']).execute()
  const subscriptions = await db.selectFrom('subscriptions').select(['subscriberId', 'channelId']).execute()
  const relations: [string, Map<string, string>, Set<string>, (target: string) => boolean][] = [
    [
      'like',
      ledger.videoLikes,
      new Set(videoLikes.map((row) => `${names.get(row.userId)}|${row.videoId}`)),
      (id) => videos.has(id),
    ],
    [
      'like',
      ledger.commentLikes,
      new Set(commentLikes.map((row) => `${names.get(row.userId)}|${row.commentId}`)),
      (id) => ids.has(id),
    ],
    [
      'subscription',
      ledger.subscriptions,
      new Set(subscriptions.map((row) => `${names.get(row.subscriberId)}|${names.get(row.channelId)}`)),
      () => true,
    ],
  ]
  for (const [noun, facts, rows, exists] of relations) {
    for (const [key, certainty] of facts) {
      if (certainty === 'maybe' || !exists(key.split('|')[1] ?? '')) continue
      if ((certainty === 'yes') !== rows.has(key))
        addViolation(`the ${noun} ${key} was confirmed as ${certainty}, but differs`)
    }
  }
}

/** Checks that every displayed counter equals the number of its rows. */
async function checkCounters({ db }: Context, addViolation: ReportViolation): Promise<void> {
  const { rows } = await sql<{ what: string; kept: number; counted: number }>`
    select 'likes of video ' || v.title as what, v.likes_count as kept,
      (select count(*)::int from video_likes l where l.video_id = v.id) as counted from videos v
    union all select 'likes of comment ' || c.id, c.likes_count,
      (select count(*)::int from comment_likes l where l.comment_id = c.id) from comments c
    union all select 'subscribers of ' || u.username, u.subscribers_count,
      (select count(*)::int from subscriptions s where s.channel_id = u.id) from users u
    union all select 'subscriptions of ' || u.username, u.subscribed_to_count,
      (select count(*)::int from subscriptions s where s.subscriber_id = u.id) from users u
    union all select 'views of ' || v.title, v.views::int,
      (select coalesce(sum(d.views), 0)::int from daily_views d where d.video_id = v.id) from videos v`.execute(
    db,
  )
  for (const { what, kept, counted } of rows) {
    if (kept !== counted) addViolation(`${what}: stored ${kept}, counted ${counted}`)
  }
}

async function checkViews({ db }: Context, ledger: Ledger, addViolation: ReportViolation): Promise<void> {
  const { rows } = await sql<{ id: string; views: number }>`
    select v.id, (v.views + coalesce((select sum(p.views) from pending_views p where p.video_id = v.id), 0))::int as views
    from videos v`.execute(db)
  for (const { id, views } of rows) {
    const fact = ledger.videos.get(id)
    if (!fact) continue
    const { sure, maybe } = fact.views
    if (views < sure || views > sure + maybe) {
      addViolation(`${fact.title} has ${views} views instead of ${sure} to ${sure + maybe}`)
    }
  }
}

/** Every file belongs to a row. */
async function checkFiles({ db, config }: Context, addViolation: ReportViolation): Promise<void> {
  const videos = await db.selectFrom('videos').select(['id', 'sourceKey', 'thumbnail']).execute()
  const users = await db.selectFrom('users').select(['avatar', 'coverImage']).execute()
  const ids = new Set(videos.map(({ id }) => id))
  const sources = new Set(videos.map(({ sourceKey }) => sourceKey))
  const pictures = new Set([
    ...videos.map(({ thumbnail }) => thumbnail),
    ...users.flatMap(({ avatar, coverImage }) => [avatar, coverImage]),
  ])
  const belongs = (file: string): boolean => {
    const [place, kind, id] = file.split('/')
    if (place !== 'storage') return false
    // exceptions: the site's id, and files of a killed check, which the next sweep deletes
    if (kind === 'site-id' || kind === 'check') return true
    if (kind === 'sources') return sources.has(file.slice('storage/'.length))
    if (kind === 'segments' || kind === 'hidden') return ids.has(id ?? '')
    return kind === 'pictures' && pictures.has(id ?? '')
  }
  for (const place of ['storage', 'incoming', 'uploads']) {
    const entries = await readdir(join(config.dataDir, place), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => [])
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name)
      const file = relative(config.dataDir, path)
      if (!belongs(file)) addViolation(`a leftover file: ${file}, ${(await stat(path)).size} bytes`)
    }
  }
}
