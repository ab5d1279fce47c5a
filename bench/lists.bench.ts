import { measure, report, type Row } from './report.ts'
import { createWorld } from './world.ts'

/** How long do the lists take among many videos, beside the barest SQL and the barest reply? */
const videos = Number(process.argv[3] ?? 100_000)
const times = 300

const world = await createWorld(videos)
try {
  const first = JSON.parse(await world.get('/api/v1/video/all?limit=24')) as { nextCursor: string }
  const { rows: deep } = await world.client.query<{ id: string; at: string }>(
    `select id, to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
     from videos order by created_at desc, id desc offset $1 limit 1`,
    [Math.floor(videos * 0.9)],
  )
  const deepCursor = Buffer.from(`${deep[0]?.at}|${deep[0]?.id}`).toString('base64url')
  const newest = 'select id, title, views from videos order by created_at desc, id desc limit $1'
  const measurements: Record<string, () => Promise<unknown>> = {
    '(a bare Fastify reply)': () => world.get('/bare'),
    '(bare SQL: newest 24)': () => world.client.query(newest, [24]),
    '(bare SQL: newest 200)': () => world.client.query(newest, [200]),
    'newest 24': () => world.get('/api/v1/video/all?limit=24'),
    'the 24 after those': () => world.get(`/api/v1/video/all?limit=24&cursor=${first.nextCursor}`),
    '24 behind nine tenths of all': () => world.get(`/api/v1/video/all?limit=24&cursor=${deepCursor}`),
    'newest 200': () => world.get('/api/v1/video/all'),
    'one video': () => world.get('/api/v1/video/video00000000042'),
  }
  const answers: Row[] = []
  for (const [question, run] of Object.entries(measurements)) {
    answers.push({ question, ...(await measure(times, run)) })
  }
  report('lists', { videos }, answers)
} finally {
  await world.close()
}
