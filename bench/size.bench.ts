import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { dumpTables, withSnapshot } from '../server/src/features/operations/backups/queries/dump.ts'
import { countContent, listVideos } from '../server/src/features/operations/administration/queries.ts'
import { deleteRemoved } from '../server/src/features/conversation/comments/queries/deletions.ts'
import { deleteOld } from '../server/src/features/messages/notifications/queries/notifications.ts'
import { deleteHidden } from '../server/src/features/messages/notifications/queries/videos.ts'
import { listShownPictures } from '../server/src/features/pictures/queries.ts'
import { getOwnerShare } from '../server/src/features/videos/playback/queries.ts'
import { chooseProminent } from '../server/src/features/watching/search/queries/prominence.ts'
import { recountWords } from '../server/src/features/watching/search/queries/vocabulary.ts'
import { isSourceNeeded } from '../server/src/features/videos/uploads/queries.ts'
import { foldViews } from '../server/src/features/videos/videos/queries/views.ts'
import { createDb, createPool } from '@kinora/platform/db/pool.ts'
import { encodeCursor } from '@kinora/platform/db/cursor.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { Database, Db } from '../server/src/context/database.ts'
import { videoId } from './dataset.ts'
import { highLimits, startProduct, uncachedCookie, type Product } from './product.ts'
import { round } from './reads.ts'
import { report, type Row } from './report.ts'
import { prepareSizedSite, sizesOf } from './size-dataset.ts'

/**
 * Durations on a large site: every kind of read over HTTP, background work, deletion, backup and vacuum, next to the same
 * on a small one. `npm run bench -- size 5000000 nothing-destructive` leaves out what changes the data.
 */
const times = 20
const small = 50_000
const [size = 1_000_000] = process.argv.slice(3).map(Number).filter(Boolean)
const steps = process.argv.slice(3).filter((each) => Number.isNaN(Number(each)))
const isWanted = (name: string) => steps.length === 0 || steps.includes(name)

const reads: Row[] = []
const work: Row[] = []
const relations: Row[] = []
for (const videos of new Set([small, size])) await measureSite(videos)
report(`size-${size}`, { times, steps: steps.join(' ') || 'all' }, [...reads, ...work, ...relations])

async function measureSite(videos: number): Promise<void> {
  const dataDir = await prepareSizedSite(videos)
  const product = await startProduct(highLimits, dataDir)
  const pool = createPool(product.databaseUrl, 2)
  const db = createDb<Database>(pool)
  try {
    work.push({ videos, step: 'start to ready', seconds: round(product.readyMs / 1000, 1) })
    if (isWanted('reads')) await measureReads(product, db, videos)
    if (isWanted('sizes')) await measureRelations(product, videos)
    if (isWanted('jobs')) await measureJobs(db, videos)
    if (isWanted('backup') && videos === size) await measureBackup(product, videos)
    if (isWanted('deletion') && videos === size) await measureDeletion(product, db, videos)
    if (isWanted('vacuum') && videos === size) await measureVacuum(product, videos)
  } finally {
    await pool.end()
    await product.stop()
  }
}

/** Signs a generated account in, and returns the cookie. */
async function signInAs(db: Db, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + 24 * 3600 * 1000)
  await db
    .insertInto('sessions')
    .values({ tokenHash: hashOfToken(token), userId, expiresAt })
    .execute()
  return `session=${token}`
}

/** Words, titles and places in lists that the reads need. */
async function findExamples(client: Client, videos: number) {
  const of = async <R extends object>(statement: string, values: unknown[] = []) =>
    (await client.query<R>(statement, values)).rows
  const words = await of<{ word: string }>(
    `select word from search_vocabulary where word ~ '^[a-z]{4,}$' order by videos_count desc, word limit 20000`,
  )
  const titles = await of<{ title: string }>(`select title from videos where id = any($1)`, [
    Array.from({ length: times * 2 }, (_, n) => videoId(Math.floor((n * videos) / (times * 2)))),
  ])
  const at = `to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, id`
  const replied = await of<{ id: string }>(
    'select parent_id as id from comments where video_id = $1 and parent_id is not null limit $2',
    [videoId(0), times * 2],
  )
  const [deepOne] = await of<{ at: string; id: string }>(`select ${at} from videos where id = $1`, [
    videoId(Math.floor(videos / 2) + (Math.floor(videos / 2) % 33 === 5 ? 1 : 0)),
  ])
  const [deepComment] = await of<{ at: string; id: string }>(
    `select ${at} from comments where video_id = $1 and parent_id is null order by created_at limit 1 offset 1000`,
    [videoId(0)],
  )
  const [deepOfLargest] = await of<{ at: string; id: string }>(
    `select ${at} from videos where owner_id = 'user1' order by created_at limit 1 offset 1000`,
  )
  return {
    words: words.map(({ word }) => word),
    titles,
    replied,
    deep: deepOne,
    deepComment,
    deepOfLargest,
  }
}

async function measureReads(product: Product, db: Db, videos: number): Promise<void> {
  const { rows: subscriptions } = await pg(product, async (client) => {
    await client.query(
      `insert into subscriptions (subscriber_id, channel_id)
       select u.id, 'user' || n from users u cross join generate_series(1, 500) n where u.username = $1 on conflict do nothing`,
      [product.username],
    )
    return client.query<{ id: string }>('select id from users where username = $1', [product.username])
  })
  const ownId = subscriptions[0]?.id ?? ''
  await db.updateTable('users').set({ role: 'administrator' }).where('id', '=', ownId).execute()
  const anyone = ''
  const viewer = product.cookie
  const [largest, member] = [await signInAs(db, 'user1'), await signInAs(db, 'user5000')]
  const { words, titles, replied, deep, deepComment, deepOfLargest } = await pg(product, (client) =>
    findExamples(client, videos),
  )
  const anyVideo = (n: number) => videoId((n * 7919 + 13) % videos)
  const common = (n: number) => words[n % 30] ?? ''
  const rare = (n: number) => words[words.length - 1 - n * 7] ?? ''
  const swapped = (each: string) => each.slice(0, 2) + each.charAt(3) + each.charAt(2) + each.slice(4)
  const search = (term: string) => `/video/search/${encodeURIComponent(term)}?limit=24`
  const cursor = (place: { at: string; id: string } | undefined) => (place ? encodeCursor(place) : '')
  const questions: [string, string, (n: number) => string][] = [
    ['home, first 24', anyone, () => '/video/all?limit=24'],
    ['home, from the middle', anyone, () => `/video/all?limit=24&cursor=${cursor(deep)}`],
    ['home, signed in', viewer, () => '/video/all?limit=24'],
    ['one video', anyone, (n) => `/video/${anyVideo(n)}`],
    ['category', anyone, () => '/browse?limit=24&category=music'],
    ['the commonest tag', anyone, () => '/browse?limit=24&tag=tag1'],
    ['a rare tag', anyone, (n) => `/browse?limit=24&tag=tag${5000 + n * 3}`],
    ['recommendations', anyone, (n) => `/recommendations/${anyVideo(n)}`],
    ['search, one of the 30 commonest words', anyone, (n) => search(common(n))],
    ['search, a rare word', anyone, (n) => search(rare(n))],
    ['search, three words', anyone, (n) => search(`${common(n)} ${rare(n)} ${words[1000 + n] ?? ''}`)],
    ['search, a word with a typo', anyone, (n) => search(swapped(rare(n)))],
    ['search, a whole title', anyone, (n) => search(titles[n % titles.length]?.title ?? '')],
    ['suggestions, 1 letter', anyone, (n) => `/search/suggestions?text=${common(n).slice(0, 1)}`],
    ['suggestions, 3 letters', anyone, (n) => `/search/suggestions?text=${rare(n).slice(0, 3)}`],
    ['comments, newest 24', anyone, () => `/comment/get/${videoId(0)}?limit=24`],
    [
      'comments, from the end',
      anyone,
      () => `/comment/get/${videoId(0)}?limit=24&cursor=${cursor(deepComment)}`,
    ],
    ['comments, top 24, signed in', viewer, () => `/comment/get/${videoId(0)}?limit=24&sort=top`],
    ['comments of any video', anyone, (n) => `/comment/get/${anyVideo(n)}?limit=24`],
    ['replies', anyone, (n) => `/comment/replies/${replied[n % replied.length]?.id ?? ''}?limit=24`],
    ['mentionable people', viewer, () => `/comment/people/${videoId(0)}?text=us`],
    ['feed of 500 subscriptions', viewer, () => '/sub/feed?limit=24'],
    ['whether the feed has new videos', viewer, () => '/sub/feed/visit'],
    ['the largest channel', viewer, () => '/users/videos/user1?limit=24'],
    [
      'the largest channel, from the end',
      viewer,
      () => `/users/videos/user1?limit=24&cursor=${cursor(deepOfLargest)}`,
    ],
    ['dashboard of the largest channel', largest, () => '/users/dashboard/'],
    [
      'its videos by title, from the middle',
      largest,
      () => `/studio/videos?sort=title&offset=${Math.floor(sizesOf(videos).ofLargestChannel / 2)}`,
    ],
    ['its videos by views', largest, () => '/studio/videos?sort=views'],
    ['its analytics of 28 days', largest, () => '/studio/analytics'],
    ['history', member, () => '/users/history?limit=24'],
    ['notifications', member, () => '/notifications?limit=24'],
    ['administration, overview', viewer, () => '/administration/overview'],
    ['administration, people', viewer, () => '/administration/people'],
    ['administration, a person by name', viewer, (n) => `/administration/people?text=user77${n}`],
    ['administration, videos', viewer, () => '/administration/videos'],
    ['administration, videos in preparation', viewer, () => '/administration/videos?state=processing'],
    ['administration, a video by title', viewer, (n) => `/administration/videos?text=${rare(n)}`],
    ['administration, comments', viewer, () => '/administration/comments'],
    ['administration, a comment by text', viewer, () => '/administration/comments?text=no%20such%20text'],
    ['administration, storage', viewer, () => '/administration/storage'],
  ]
  for (const [question, cookie, path] of questions) {
    const row = { videos, question, ...(await measure(product, cookie, path)) }
    console.log(JSON.stringify(row))
    reads.push(row)
  }
}

/** Durations of a read, one after the other, none of them cached; and the CPU time of web and database. */
async function measure(product: Product, cookie: string, path: (n: number) => string): Promise<Row> {
  const ask = async (n: number) => {
    const url = `${product.url}/api/v1${path(n)}`
    const startedAt = performance.now()
    const response = await fetch(url, {
      headers: { cookie: [cookie, uncachedCookie].filter(Boolean).join('; ') },
    })
    await response.arrayBuffer()
    return { ms: performance.now() - startedAt, status: response.status }
  }
  const first = await ask(times)
  if (first.status === 404 && path(0).startsWith('/video/')) return { 'first ms': round(first.ms, 1) }
  if (first.status !== 200 || first.ms > 3000) return { 'first ms': round(first.ms, 1), status: first.status }
  const durations: number[] = []
  const before = product.cpuSeconds()
  const beganAt = performance.now()
  // slow ones say enough after some seconds
  for (let n = 0; n < times && performance.now() - beganAt < 3000; n += 1) durations.push((await ask(n)).ms)
  const cpuMs = ((product.cpuSeconds() - before) * 1000) / durations.length
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN, 1)
  return { 'first ms': round(first.ms, 1), 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'CPU ms': round(cpuMs, 2) }
}

async function timed(videos: number, step: string, run: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  const result = await run()
  const row: Row = { videos, step, seconds: round((performance.now() - startedAt) / 1000, 2) }
  if (typeof result === 'number' || typeof result === 'string') row['result'] = result
  console.log(row)
  work.push(row)
}

async function measureJobs(db: Db, videos: number): Promise<void> {
  await pgInsertViews(db, videos)
  await timed(videos, 'fold the views of 500 videos', () => foldViews(db, 500))
  await timed(videos, 'recount words', () => recountWords(db))
  await timed(videos, 'choose prominent videos', () => chooseProminent(db, 1000))
  await timed(videos, 'delete removed comments', () => deleteRemoved(db))
  await timed(videos, 'delete 500 old notifications', () => deleteOld(db, new Date(0), 500))
  await timed(videos, 'withdraw the notifications of a video', () => deleteHidden(db, 'none', 500))
  await timed(videos, 'find 10,000 pictures', async () => {
    return (
      await listShownPictures(
        db,
        Array.from({ length: 10_000 }, (_, n) => `picture${n * 3}`),
      )
    ).length
  })
  await timed(videos, 'find a picture', () => listShownPictures(db, ['none']))
  await timed(videos, 'find a source', () => isSourceNeeded(db, 'sources/none/1'))
  await timed(videos, 'share of the largest channel', async () => {
    await getOwnerShare(db, videoId(0))
  })
  await timed(videos, 'count everything', async () => (await countContent(db, new Date())).comments)
  await timed(videos, 'list failed videos', async () => (await listVideos(db, { state: 'failed' })).total)
}

async function pgInsertViews(db: Db, videos: number): Promise<void> {
  await db
    .insertInto('pendingViews')
    .values(Array.from({ length: 500 }, (_, n) => ({ videoId: videoId((n * 997) % videos) })))
    .execute()
}

/** Dumps every table as a backup does, without storing it. */
async function measureBackup(product: Product, videos: number): Promise<void> {
  await timed(videos, 'backup: every table dumped and hashed', () =>
    withSnapshot(product.databaseUrl, async (client) => {
      const dumps = await dumpTables(client, null)
      return dumps.reduce((sum, { rows }) => sum + rows, 0)
    }),
  )
}

/** Deletes the video with most comments while others read. */
async function measureDeletion(product: Product, db: Db, videos: number): Promise<void> {
  const owner = await signInAs(db, 'user1')
  const others = new AbortController()
  const waits: number[] = []
  const readOthers = async () => {
    for (let n = 0; !others.signal.aborted; n += 1) {
      const startedAt = performance.now()
      await fetch(`${product.url}/api/v1/comment/get/${videoId(2 + (n % 50))}?limit=24&n=${n}`)
      await fetch(`${product.url}/api/v1/video/all?limit=24&n=${n}`)
      waits.push(performance.now() - startedAt)
      await delay(50)
    }
  }
  const reading = readOthers()
  await timed(videos, 'delete a video with 1,000,000 comments: response', async () => {
    const response = await fetch(`${product.url}/api/v1/video/${videoId(0)}`, {
      method: 'DELETE',
      headers: { cookie: owner, origin: product.url },
    })
    return response.status
  })
  await timed(videos, 'delete a video with 1,000,000 comments: until all are gone', async () => {
    const beganAt = performance.now()
    while (performance.now() - beganAt < 600_000) {
      const row = await db
        .selectFrom('comments')
        .select('id')
        .where('videoId', '=', videoId(0))
        .executeTakeFirst()
      if (!row) return 'gone'
      await delay(500)
    }
    return 'not gone'
  })
  others.abort()
  await reading
  const sorted = waits.toSorted((a, b) => a - b)
  work.push({
    videos,
    step: 'two reads meanwhile, p50 and slowest ms',
    seconds: round((sorted[Math.floor(sorted.length / 2)] ?? 0) / 1000, 4),
    result: round(sorted.at(-1) ?? 0, 1),
  })
  await timed(videos, 'rename the largest channel', async () => {
    const response = await fetch(`${product.url}/api/v1/users/updatedetails`, {
      method: 'PATCH',
      headers: { cookie: owner, origin: product.url, 'content-type': 'application/json' },
      body: JSON.stringify({ fullname: 'Renamed Channel' }),
    })
    return `${response.status}`
  })
}

async function measureVacuum(product: Product, videos: number): Promise<void> {
  await pg(product, async (client) => {
    for (const table of ['comments', 'videos', 'video_search'])
      await timed(videos, `vacuum (analyze) ${table}`, () => client.query(`vacuum (analyze) ${table}`))
  })
}

async function measureRelations(product: Product, videos: number): Promise<void> {
  const { rows } = await pg(product, (client) =>
    client.query<{ relation: string; rows: number; tableMb: number; indexesMb: number }>(
      `select c.relname as relation, c.reltuples::bigint as rows,
         round(pg_table_size(c.oid) / 1e6)::int as "tableMb", round(pg_indexes_size(c.oid) / 1e6)::int as "indexesMb"
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       order by pg_total_relation_size(c.oid) desc limit 14`,
    ),
  )
  for (const { relation, rows: count, tableMb, indexesMb } of rows)
    relations.push({ videos, relation, rows: count, 'table MB': tableMb, 'indexes MB': indexesMb })
}

async function pg<T>(product: Product, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(product.databaseUrl)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
