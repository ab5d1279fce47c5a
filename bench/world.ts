import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { chooseProminent, recountWords } from '../server/src/features/search/queries.ts'
import { createDb, createPool } from '../server/src/platform/db/pool.ts'
import type { Database } from '../server/src/database.ts'
import { startProduct, type Product } from './product.ts'

/**
 * The product with as many videos as wanted in it. A world is made once, by SQL, and kept beside the temporary files
 * until the database's schema or this file changes.
 */
export async function openWorld(videos: number): Promise<Product> {
  const migrations = globSync('*.sql', { cwd: migrationsDirectory }).sort()
  const made = [import.meta.filename, ...migrations.map((name) => join(migrationsDirectory, name))]
  const hash = createHash('sha256')
  for (const file of made) hash.update(readFileSync(file))
  const dataDir = join(tmpdir(), 'kinora-bench-worlds', `${videos}-${hash.digest('hex').slice(0, 12)}`)
  mkdirSync(dataDir, { recursive: true })
  const product = await startProduct(
    { REQUESTS_PER_MINUTE: '10000000', VIEWS_PER_MINUTE: '1000000', REGISTRATIONS_PER_HOUR: '1000000' },
    dataDir,
  )
  const marker = join(dataDir, 'complete')
  if (!existsSync(marker)) {
    try {
      await fill(product.databaseUrl, videos)
    } catch (error) {
      await product.stop()
      throw error
    }
    writeFileSync(marker, '')
  }
  return product
}

const migrationsDirectory = join(import.meta.dirname, '../server/migrations')

/** Deterministic, so that every run asks the same of the same world. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = createRandom(1)

const vocabularySize = 200_000
const syllables = Array.from('bcdfghjklmnprst').flatMap((consonant) =>
  Array.from('aeiou').map((vowel) => consonant + vowel),
)

/**
 * The n-th commonest of 200,000 words, no two alike: common ones are short, and rare ones stand far apart, as in any
 * language, so that a mistyped word is rarely another one.
 */
function word(n: number): string {
  const length = n < 300 ? 2 : n < 8000 ? 3 : n < 80_000 ? 4 : 5
  let code = (n * 1_000_003 + 17) % syllables.length ** length
  let text = ''
  for (let at = 0; at < length; at += 1) {
    text += syllables[code % syllables.length] ?? ''
    code = Math.floor(code / syllables.length)
  }
  return text
}

/** A rank by Zipf's law: the second is half as likely as the first, the tenth a tenth. */
const zipf = (size: number) => Math.floor(size ** random()) - 1

const phrase = (words: number) => Array.from({ length: words }, () => word(zipf(vocabularySize))).join(' ')

/** The id of the n-th video, newest first; in no order itself. */
export const videoId = (n: number) => createHash('md5').update(String(n)).digest('base64url').slice(0, 16)

/** How many comments the newest video has; every other video that has any has a few. */
export const hotComments = 10_000

const batchSize = 5000

async function fill(databaseUrl: string, videos: number): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  // no triggers and no foreign keys: what they would do is done here, all at once
  await client.query(`set session_replication_role = replica; set maintenance_work_mem = '1GB'`)
  const channels = 1000 + Math.floor(videos / 100)
  await client.query(
    `insert into users (id, username, email, fullname, password_hash, avatar, subscribers_count)
     select 'user' || n, 'user' || n, 'user' || n || '@example.org', 'Channel ' || n, 'x', 'picture' || n, 100000 / n
     from generate_series(1, $1::int) n`,
    [channels],
  )
  const indexes = await dropIndexes(client)
  for (let from = 0; from < videos; from += batchSize) {
    await insertVideos(client, channels, from, Math.min(videos, from + batchSize))
    process.stdout.write(`\r${Math.min(videos, from + batchSize)} of ${videos} videos`)
  }
  process.stdout.write('\n')
  await client.query(
    `insert into comments (id, video_id, author_id, content, likes_count, created_at)
     select 'comment' || n, v.id, 'user' || (1 + n % 1000), 'Comment number ' || n || ' says something about this video.',
       case n % 5 when 0 then 1 else 0 end, now() - n * interval '1 second'
     from (select n, case when n <= $1 then 0 else floor(power(random(), 2) * least(20000, $2))::int end as place
       from generate_series(1, $1 + least(200000, $2)) n) c
     join unnest($3::text[]) with ordinality v (id, place) on v.place = c.place + 1`,
    [hotComments, videos, Array.from({ length: Math.min(20_000, videos) }, (_, n) => videoId(n))],
  )
  for (const { indexdef } of indexes) await client.query(indexdef)
  await client.query(
    `insert into search_vocabulary (word, variants) select w, search_variants(w) from unnest($1::text[]) w
     on conflict do nothing`,
    [Array.from({ length: vocabularySize }, (_, n) => word(n))],
  )
  await client.query('vacuum analyze')
  await client.end()
  const pool = createPool(databaseUrl, 1)
  const db = createDb<Database>(pool)
  await recountWords(db)
  await chooseProminent(db, videos)
  await pool.query('vacuum analyze search_vocabulary, video_search')
  await pool.end()
}

/** Building an index at the end takes a tenth of the time of keeping it. */
async function dropIndexes(client: Client): Promise<{ indexname: string; indexdef: string }[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes
     where schemaname = 'public' and tablename in ('videos', 'video_search', 'comments') and indexname not like '%pkey'`,
  )
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
  return rows
}

async function insertVideos(client: Client, channels: number, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, at) => {
    const owner = 1 + Math.floor(random() * random() * (channels - 1))
    const title = phrase(3 + Math.floor(random() * 6))
    const description = phrase(10 + Math.floor(random() * 50))
    const marks = [
      ...title.split(' ').map((each, position) => `${each}:${position + 1}A`),
      `channel:100B ${owner}:101B user${owner}:102B`,
      ...description.split(' ').map((each) => `${each}:200C`),
    ]
    return {
      n: from + at,
      id: videoId(from + at),
      owner: `user${owner}`,
      title: title.charAt(0).toUpperCase() + title.slice(1),
      description,
      document: marks.join(' '),
      views: Math.floor(2_000_000 / (1 + random() * 1_000_000)),
    }
  })
  await client.query(
    `with given as (select * from json_to_recordset($1) as r
       (n int, id text, owner text, title text, description text, document tsvector, views int)),
     inserted as (
       insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds,
         width, height, source, created_at, processing_state, processing_progress, views, likes_count)
       select id, owner, title, description, 'picture', 'sources/x', 1000, 60, 640, 360, '{"container":"mp4"}',
         now() - n * interval '1 minute', 'ready', 1, views, views / 30 from given
     )
     insert into video_search (video_id, created_at, head, document)
     select id, now() - n * interval '1 minute', ts_filter(document, '{a,b}'), document from given`,
    [JSON.stringify(rows)],
  )
}
