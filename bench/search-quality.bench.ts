import type { Video } from '@kinora/contract/videos/videos.ts'
import { Client } from 'pg'
import { recountWords } from '../server/src/features/watching/search/queries/vocabulary.ts'
import { createDb, createPool } from '@kinora/platform/db/pool.ts'
import type { Database } from '../server/src/context/database.ts'
import { startProduct } from './product.ts'
import { round } from './reads.ts'
import { report } from './report.ts'
import {
  corpus,
  judgements,
  ndcg,
  shownResults as shown,
} from '../server/src/testing/fixtures/search-corpus.ts'

/**
 * Search quality: nDCG@10 over judged queries, compared with `ts_rank` (any word; weights title, channel, description)
 * and trigram similarity of the title in PostgreSQL on the same texts.
 */
const product = await startProduct({ PREPARE_POLICY: 'none', REQUESTS_PER_MINUTE: '1000000' })
const client = new Client(product.databaseUrl)
await client.connect()
try {
  await fill()
  const ways: Record<string, (term: string) => Promise<string[]>> = {
    Kinora: async (term) => {
      const path = `/api/v1/video/search/${encodeURIComponent(term)}?limit=${shown}`
      const body = (await (await fetch(product.url + path)).json()) as { data: Video[] }
      return body.data.map(({ _id }) => _id)
    },
    ts_rank: (term) =>
      keys(
        `select key from texts, (select replace(plainto_tsquery('simple', unaccent($1))::text, '&', '|')::tsquery as q) asked
         where document @@ q order by ts_rank(document, q) desc, key limit ${shown}`,
        term,
      ),
    'trigram similarity': (term) =>
      keys(
        `select key from texts where similarity(title, unaccent($1)) > 0.1
         order by similarity(title, unaccent($1)) desc, key limit ${shown}`,
        term,
      ),
  }
  const asked = Object.entries(judgements).filter(([, grades]) => Object.keys(grades).length > 0)
  const rows = []
  const worst: { term: string; ndcg: number; found: string }[] = []
  for (const [way, search] of Object.entries(ways)) {
    let [sum, first] = [0, 0]
    for (const [term, grades] of asked) {
      const found = await search(term)
      const score = ndcg(found, grades)
      sum += score
      if (grades[found[0] ?? ''] === 3) first += 1
      if (way === 'Kinora' && score < 0.9)
        worst.push({ term, ndcg: round(score, 2), found: found.slice(0, 5).join(' ') })
    }
    rows.push({
      way,
      'nDCG@10': round(sum / asked.length, 3),
      'what was meant is first': `${first} of ${asked.length}`,
    })
  }
  console.table(worst)
  report('search-quality', { videos: corpus.length, questions: asked.length }, rows)
} finally {
  await client.end()
  await product.stop()
}

async function keys(query: string, term: string): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(query, [term])
  return rows.map(({ key }) => key)
}

async function fill(): Promise<void> {
  const channels = [...new Set(corpus.map(([, channel]) => channel))]
  for (const [n, channel] of channels.entries()) {
    await client.query(
      `insert into users (id, username, email, fullname, password_hash, avatar) values ($1, $2, $3, $4, 'x', 'x')`,
      [channel, `channel${n}`, `${n}@example.org`, channel],
    )
  }
  for (const [key, channel, title, description] of corpus) {
    await client.query(
      `insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds, width, height, source)
       values ($1, $2, $3, $4, 'x', 'x', 1, 60, 640, 360, '{"container":"mp4"}')`,
      [key, channel, title, description],
    )
  }
  await client.query(`
    create extension if not exists pg_trgm;
    create table texts as select v.id as key, unaccent(v.title) as title,
      setweight(to_tsvector('simple', unaccent(v.title)), 'A') || setweight(to_tsvector('simple', unaccent(u.fullname)), 'B')
      || setweight(to_tsvector('simple', unaccent(v.description)), 'C') as document
    from videos v join users u on u.id = v.owner_id`)
  const pool = createPool(product.databaseUrl, 1)
  await recountWords(createDb<Database>(pool))
  await pool.end()
}
