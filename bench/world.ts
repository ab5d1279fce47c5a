import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { buildApp, createContext } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { startEmbedded } from '../server/src/platform/db/embedded.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'

/**
 * A thousand channels and as many videos as wanted, their texts of a vocabulary in which, as in any language, a few
 * words are everywhere and most are rare. Word number 0 is `the`.
 */
const fill = `
  create table lexicon as
  select n, (
    select string_agg(
      substr('bcdfghjklmnprstvwz', 1 + (n * (k * 7 + 3) + k * n / 17) % 18, 1) ||
      substr('aeiou', 1 + (n / (k * 5 + 1) + n * k) % 5, 1), '')
    from generate_series(1, 2 + n % 4) k
  ) as word from generate_series(1, 30000) n;
  insert into lexicon values (0, 'the');
  create index on lexicon (n);
  create function phrase(words int) returns text language sql volatile as $$
    select string_agg(word, ' ') from generate_series(1, words) at,
      lateral (select (exp(random() * ln(30001) + at * 0) - 1)::int as z offset 0) pick join lexicon on n = z
  $$;
  insert into users (id, username, email, fullname, password_hash, avatar)
  select 'user' || n, 'user' || n, 'user' || n || '@example.org', initcap(phrase(2)), 'x', 'picture' || n
  from generate_series(1, 1000) n;
`

const addVideos = `
  insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds,
    width, height, source, created_at)
  select 'video' || lpad(n::text, 11, '0'), 'user' || (1 + (random() * random() * 999)::int), phrase(6), phrase(40),
    'picture', 'sources/x', 1000, 60, 640, 360, '{"container":"mp4"}', now() - n * interval '1 minute'
  from generate_series($1::int, $2::int) n
`

/** The started server with a world in it, in this process; nothing of it is left after `close`. */
export async function createWorld(videos: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'kinora-bench-'))
  const quiet = { info: () => {}, warn: (details: object, message: string) => console.warn(message, details) }
  const database = await startEmbedded({ dataDir, log: quiet })
  await migrate(database.url, join(import.meta.dirname, '../server/migrations'))
  const client = new Client(database.url)
  await client.connect()
  await client.query(fill)
  for (let from = 1; from <= videos; from += 2000) {
    await client.query(addVideos, [from, Math.min(videos, from + 1999)])
    process.stdout.write(`\r${Math.min(videos, from + 1999)} of ${videos} videos`)
  }
  process.stdout.write('\n')
  await client.query('vacuum analyze')
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'error', REQUESTS_PER_MINUTE: '10000000' }
  const context = await createContext(readConfig(settings), database.url, 'web')
  const app = await buildApp(context)
  app.get('/bare', async () => ({ bare: true }))
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    context,
    client,
    origin,
    /** The whole answer of a GET, read to its end. */
    get: async (path: string): Promise<string> => {
      const response = await fetch(origin + path)
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      return response.text()
    },
    close: async () => {
      await app.close()
      await context.close()
      await client.end()
      await database.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
