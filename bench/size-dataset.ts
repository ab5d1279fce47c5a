import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { chooseProminent } from '../server/src/features/watching/search/queries/prominence.ts'
import { recountWords } from '../server/src/features/watching/search/queries/vocabulary.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../server/src/context/migrations.ts'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { createDb, createPool } from '@kinora/platform/db/pool.ts'
import type { Database } from '../server/src/context/database.ts'
import { phrase, word, vocabularySize } from './dataset.ts'

/** With 10,000,000 videos the site needs 50 GB of disk; ten times as many comments would need as much again. */
const maxComments = 10_000_000

/** Number of rows of a site, derived from the number of its videos. */
export const sizesOf = (videos: number) => ({
  videos,
  /** Of all videos but the one that has `hotComments`. */
  comments: Math.min(videos * 10, maxComments),
  hotComments: 1_000_000,
  users: Math.max(10_000, Math.floor(videos / 5)),
  channels: 1000 + Math.floor(videos / 100),
  /** Of the largest channel, `user1`. */
  ofLargestChannel: Math.min(100_000, Math.floor(videos / 2)),
  /** Words that ten videos have each. */
  rareWords: Math.floor(videos / 10),
})

type Sizes = ReturnType<typeof sizesOf>

/** Titles and descriptions; videos share them, and each has a rare word of its own in the title. */
const maxTexts = 50_000

/** The generator only: a crash loses the data, and nothing is written twice. */
const unsafeSettings = {
  shared_buffers: '3GB',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  autovacuum: 'off',
  checkpoint_timeout: '15min',
  maintenance_work_mem: '3GB',
  work_mem: '512MB',
  max_parallel_maintenance_workers: '0',
  max_parallel_workers_per_gather: '0',
}

/** Data directory of a site with that many videos, which is generated once. */
export async function prepareSizedSite(videos: number): Promise<string> {
  const dataDir = join(tmpdir(), `kinora-size-${videos}`)
  const marker = join(dataDir, 'complete')
  if (existsSync(marker)) return dataDir
  mkdirSync(dataDir, { recursive: true })
  const log = { info: () => undefined, warn: console.warn }
  const database = await startEmbedded({ dataDir, log, settings: unsafeSettings })
  try {
    await migrate(database.url, migrationsDirectory)
    await fill(database.url, sizesOf(videos))
  } finally {
    await database.stop()
  }
  writeFileSync(marker, '')
  return dataDir
}

/** `videoId` of `dataset.ts` in SQL. */
const idOf = (text: string) =>
  `translate(left(encode(decode(md5(${text}), 'hex'), 'base64'), 16), '+/', '-_')`

/** A pseudorandom number from 0 to 1 that depends on `key` alone. */
const chance = (key: string) => `((hashint8(${key}) & 1048575) / 1048576.0)`

/** About what ffprobe reports of a file in MP4. */
const source = JSON.stringify({
  container: 'mp4',
  sizeBytes: 73_400_320,
  durationSeconds: 312.4,
  video: {
    codec: 'h264',
    profile: 'High',
    codecString: 'avc1.640028',
    codedWidth: 1920,
    codedHeight: 1088,
    displayWidth: 1920,
    displayHeight: 1080,
    rotation: 0,
    hasSquarePixels: true,
    frameRate: { num: 30, den: 1 },
    isVariableFrameRate: false,
    pixelFormat: 'yuv420p',
    bitDepth: 8,
    isHdr: false,
    isInterlaced: false,
    startSeconds: 0,
    endSeconds: 312.4,
  },
  audio: [{ position: 0, codec: 'aac', codecString: 'mp4a.40.2', channels: 2, sampleRate: 48_000 }],
  index: { cutsMicros: [0, 4_000_000, 8_000_000], longestGapSeconds: 4, peakBitrate: 2_400_000 },
  isBrokenOff: false,
})

/** Fills an empty database. Tables come before those that reference them. */
async function fill(databaseUrl: string, sizes: Sizes): Promise<void> {
  const client = new Client(databaseUrl).on('error', () => undefined)
  await client.connect()
  // without triggers and foreign keys; their work is done here in bulk
  await client.query('set session_replication_role = replica; select setseed(0.5)')
  await insertTexts(client, sizes)
  for (const [table, statement] of Object.entries(statementsOf(sizes))) await load(client, table, statement)
  await client.query('drop table bench_texts; drop table bench_words')
  await client.query(`insert into unread_notifications (user_id, unread)
    select user_id, count(*) from notifications where not is_read group by user_id`)
  await step('vacuum', () => client.query('vacuum (freeze, analyze)'))
  await client.end()
  const pool = createPool(databaseUrl, 1).on('error', () => undefined)
  const db = createDb<Database>(pool)
  await step('recount words', () => recountWords(db))
  await step('choose prominent', () => chooseProminent(db, 1_000_000))
  await pool.query('vacuum analyze search_vocabulary, video_search')
  await pool.end()
}

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await run()
  console.log(`${name}: ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

/**
 * Inserts without indexes, and then builds them. In the transaction that truncates a table, `wal_level = minimal` writes no
 * write-ahead log.
 */
async function load(client: Client, table: string, statement: string): Promise<void> {
  await client.query('begin')
  await client.query(`truncate ${table} cascade`)
  await client.query(
    `update pg_index set indisready = false, indisvalid = false where indrelid = '${table}'::regclass`,
  )
  await step(table, () => client.query(statement))
  await step(`${table}: indexes`, () => client.query(`reindex table ${table}`))
  await client.query('commit')
  await client.query(`analyze ${table}`)
}

async function insertTexts(client: Client, { videos, rareWords }: Sizes): Promise<void> {
  const texts = Math.min(maxTexts, videos)
  await client.query(`create unlogged table bench_texts (
    text_n int primary key, title text, description text, head tsvector, document tsvector)`)
  await client.query(`create unlogged table bench_words as
    select n as word_n, translate(left(md5('rare' || n), 7), '0123456789', 'ghijklmnop') as word
    from generate_series(0, ${rareWords}) n`)
  const atOnce = 5000
  for (let from = 0; from < texts; from += atOnce) {
    const rows = Array.from({ length: Math.min(texts, from + atOnce) - from }, (_, at) => {
      const title = phrase(3 + Math.floor(Math.random() * 5))
      const description = phrase(10 + Math.floor(Math.random() * 50))
      const inTitle = [...new Set(title.split(' '))].map((each) => `${each}:1A`)
      const inDescription = [...new Set(description.split(' '))].map((each) => `${each}:3C`)
      return {
        text_n: from + at,
        title: title.charAt(0).toUpperCase() + title.slice(1),
        description,
        head: inTitle.join(' '),
        document: [...inTitle, ...inDescription].join(' '),
      }
    })
    await client.query(
      `insert into bench_texts select * from json_to_recordset($1) as r
        (text_n int, title text, description text, head tsvector, document tsvector)`,
      [JSON.stringify(rows)],
    )
  }
  await client.query('analyze bench_texts, bench_words')
  const words = Array.from({ length: vocabularySize }, (_, n) => `'${word(n)}'`)
  await load(
    client,
    'search_vocabulary',
    `insert into search_vocabulary (word, variants)
     select w, search_variants(w)
     from (select unnest(array[${words.join(', ')}]) as w union select word from bench_words) words`,
  )
}

/** Statements by table. Newest rows are last, as on a site that has grown. */
function statementsOf(sizes: Sizes): Record<string, string> {
  const { videos, comments, hotComments, users, channels, ofLargestChannel, rareWords } = sizes
  const texts = Math.min(maxTexts, videos)
  const everyNth = Math.floor(videos / ofLargestChannel)
  const total = comments + hotComments
  /** A conversation has eight comments, which are an eighth of the history apart: two of them are replies to the first. */
  const conversations = Math.floor(total / 8)
  const hotConversations = Math.floor(hotComments / 8)
  const videoOfConversation = `case when (c * ${hotConversations}) % ${conversations} < ${hotConversations} then 0
    else 1 + floor(power(${chance('c * 7')}, 3) * ${videos - 1})::int end`
  return {
    users: `insert into users (id, username, email, fullname, password_hash, avatar, subscribers_count, created_at)
      select 'user' || n, 'user' || n, 'user' || n || '@example.org', initcap(a.word || ' ' || b.word), 'x', 'picture' || n,
        least(100000, 1000000 / n), now() - (${users} - n) * interval '2 minutes'
      from generate_series(1, ${users}::bigint) n
      join bench_words a on a.word_n = floor(power(${chance('n')}, 3) * ${Math.min(20_000, rareWords)})::int
      join bench_words b on b.word_n = floor(${chance('n + 1000000000')} * ${rareWords})::int`,
    channel_search: `insert into channel_search (user_id, document)
      select id, search_vector('', fullname || ' ' || username, '') from users`,
    videos: `insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds,
        width, height, source, created_at, processing_state, processing_progress, views, likes_count, visibility, tags,
        category, language)
      select ${idOf('v.n::text')}, 'user' || case when v.n % ${everyNth} = 0 then 1
          else 2 + floor(power(${chance('v.n * 3')}, 2) * ${channels - 2})::int end,
        t.title || ' ' || w.word, t.description, ${idOf("'thumbnail' || v.n")},
        'sources/' || ${idOf('v.n::text')} || '/' || v.n, 1000000 + (${chance('v.n * 5')} * 1000000000)::bigint,
        10 + power(${chance('v.n * 7')}, 4) * 7200, 1920, 1080, '${source}', now() - v.n * interval '30 seconds', 'ready', 1,
        (1000000 / (1 + ${chance('v.n * 11')} * 1000000))::int, (20000 / (1 + ${chance('v.n * 13')} * 20000))::int,
        case when v.n % 33 = 5 then 'unlisted' else 'public' end,
        array(select distinct 'tag' || floor(power(20000, ${chance('v.n * 17 + k')}))::int from generate_series(1, v.n % 6) k),
        (array['music', 'education', 'gaming', 'news', null])[1 + v.n % 5], 'en'
      from generate_series(${videos - 1}::bigint, 0, -1) v (n)
      join bench_texts t on t.text_n = (hashint8(v.n) & 2147483647) % ${texts}::int
      join bench_words w on w.word_n = v.n % ${rareWords}`,
    video_search: `insert into video_search (video_id, created_at, head, document, is_prominent, is_public)
      select v.id, v.created_at, t.head || c.document || (w.word || ':1A')::tsvector,
        t.document || c.document || (w.word || ':1A')::tsvector, n < 10000 or v.views > ${videos / 10_000}, true
      from (select *, split_part(source_key, '/', 3)::bigint as n from videos where visibility = 'public') v
      join channel_search c on c.user_id = v.owner_id
      join bench_texts t on t.text_n = (hashint8(n) & 2147483647) % ${texts}::int
      join bench_words w on w.word_n = n % ${rareWords}`,
    comments: `insert into comments (id, video_id, author_id, content, likes_count, created_at, parent_id, replies_count)
      select ${idOf("'comment' || n")}, ${idOf('video::text')}, 'user' || 1 + floor(power(random(), 2) * ${users})::int,
        left(t.description, least(300, greatest(4, (60 * exp(random_normal() * 0.8))::int))),
        case when n % 5 = 0 then (power(random(), 6) * 200)::int else 0 end, now() - (${total} - n) * interval '3 seconds',
        case when n / ${conversations} in (6, 7) then ${idOf("'comment' || c")} end,
        case when n < ${conversations} then 2 else 0 end
      from (
        select n, c, ${videoOfConversation} as video
        from (select n, n % ${conversations} as c from generate_series(0, ${conversations}::bigint * 8 - 1) n) numbered
      ) placed
      join bench_texts t on t.text_n = (hashint8(n) & 2147483647) % ${texts}::int`,
    subscriptions: `insert into subscriptions (subscriber_id, channel_id, created_at)
      select 'user' || 1 + i % ${users}, 'user' || 1 + (i % ${users} * 31 + i / ${users} * 997) % ${channels},
        now() - i * interval '1 second'
      from generate_series(0, ${users}::bigint * 5 - 1) i`,
    watch_history: `insert into watch_history (user_id, video_id, watched_at, position_seconds)
      select 'user' || 1 + i % ${users}, ${idOf(`((i % ${users} * 7919 + i / ${users} * 104729) % ${videos})::text`)},
        now() - (${users} * 5 - i) * interval '1 second', 10
      from generate_series(0, ${users}::bigint * 5 - 1) i`,
    notifications: `insert into notifications (user_id, kind, video_id, created_at, began_at, is_read)
      select 'user' || 1 + i % ${users}, 'video', ${idOf(`((i % ${users} * 31 + i / ${users} * 104729) % ${videos})::text`)},
        now() - (${users} * 3 - i) * interval '2 seconds', now(), i % 10 > 0
      from generate_series(0, ${users}::bigint * 3 - 1) i`,
    daily_views: `insert into daily_views (video_id, day, views)
      select v.id, current_date - d, 1 + d from videos v cross join generate_series(0, 1) d where hashtext(v.id) % 2 = 0
      union all
      select v.id, current_date - d, 3 from videos v cross join generate_series(2, 11) d where v.owner_id = 'user1'`,
    video_likes: `insert into video_likes (video_id, user_id)
      select ${idOf(`((i % ${users} + i / ${users} * 1299709) % ${videos})::text`)}, 'user' || 1 + i % ${users}
      from generate_series(0, ${users}::bigint * 3 - 1) i`,
    comment_likes: `insert into comment_likes (comment_id, user_id)
      select ${idOf("'comment' || (i * 17)")}, 'user' || 1 + i % ${users}
      from generate_series(0, ${Math.floor(total / 17) - 1}::bigint) i`,
  }
}
