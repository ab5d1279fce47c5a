import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { send, type Load } from './load.ts'
import { makeClip, startProduct } from './product.ts'
import { round } from './reads.ts'
import { report, type Row } from './report.ts'

/** How long it takes to notify all subscribers of a channel of a new video, and the read latency meanwhile. */
const sizes = process.argv.slice(3).map(Number).filter(Boolean)
const subscribers = sizes.length > 0 ? sizes : [1000, 100_000]
const ratePerSecond = 50
const loadSeconds = 2

const directory = mkdtempSync(join(tmpdir(), 'kinora-bench-clip-'))
const clip = join(directory, 'clip.mp4')
makeClip(clip, '-f lavfi -i testsrc2=s=320x180:r=25:d=2 -c:v libx264 -pix_fmt yuv420p')

const rows: Row[] = []
try {
  for (const size of subscribers) rows.push(await measure(size))
} finally {
  rmSync(directory, { recursive: true })
}
report('fan-out', { ratePerSecond }, rows)

async function measure(size: number): Promise<Row> {
  const product = await startProduct({ PREPARE_POLICY: 'none', REQUESTS_PER_MINUTE: '10000000' })
  const client = new Client(product.databaseUrl)
  try {
    await client.connect()
    await subscribe(client, product.username, size)
    const load: Load = {
      url: product.url,
      paths: ['/api/v1/video/all?limit=24', '/api/v1/notifications?limit=24'],
      headers: { cookie: product.cookie },
      seconds: loadSeconds,
      connections: 4,
      ratePerSecond,
    }
    // the first load warms up
    await send(load)
    const alone = await send(load)
    const { video, respondedAt } = await product.upload(clip, 'Harbour')
    const done = { at: 0 }
    const untilNotified = async () => {
      while ((await notifiedOf(client, video._id)) < size) await delay(100)
      done.at = performance.now()
    }
    const whenNotified = untilNotified()
    const beside = []
    while (done.at === 0) beside.push(await send(load))
    await whenNotified
    return {
      subscribers: size,
      'all notified, s': round((done.at - respondedAt) / 1000, 1),
      'reads p50 alone, ms': round(alone.p50, 2),
      'p50 meanwhile': round(Math.max(...beside.map(({ p50 }) => p50)), 2),
      'reads p95 alone, ms': round(alone.p95, 2),
      'p95 meanwhile': round(Math.max(...beside.map(({ p95 }) => p95)), 2),
    }
  } finally {
    await client.end()
    await product.stop()
  }
}

/** Gives a channel its subscribers. */
async function subscribe(client: Client, username: string, size: number): Promise<void> {
  // without triggers, which would notify the channel of each of them
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into users (id, username, email, fullname, password_hash, avatar)
     select 'crowd' || n, 'crowd' || n, 'crowd' || n || '@example.org', 'Viewer ' || n, 'x', 'picture'
     from generate_series(1, $1::int) n`,
    [size],
  )
  await client.query(
    `insert into subscriptions (subscriber_id, channel_id)
     select 'crowd' || n, u.id from users u, generate_series(1, $2::int) n where u.username = $1`,
    [username, size],
  )
  await client.query('update users set subscribers_count = $2 where username = $1', [username, size])
  await client.query('set session_replication_role = default')
  await client.query('vacuum analyze users, subscriptions')
}

async function notifiedOf(client: Client, videoId: string): Promise<number> {
  const { rows: counted } = await client.query<{ people: string }>(
    `select count(*) as people from notifications where video_id = $1 and kind = 'video'`,
    [videoId],
  )
  return Number(counted[0]?.people)
}
