import { measureReads, worldSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { openWorld, videoId } from './world.ts'

/** What does one video cost, for however many there are? */
const rows: Row[] = []
for (const videos of worldSizes()) {
  const world = await openWorld(videos)
  try {
    const path = (n: number) => `/api/v1/video/${videoId(n)}`
    rows.push(
      ...(await measureReads(world, videos, [
        { question: 'one video that many watch', paths: [path(0)] },
        { question: 'the same, signed in', paths: [path(0)], headers: { cookie: world.cookie } },
        {
          question: 'any video, hardly ever ready',
          paths: Array.from({ length: 50_000 }, (_, n) => `${path((n * 7919) % videos)}?${n}`),
        },
      ])),
    )
  } finally {
    await world.stop()
  }
}
report('detail', {}, rows)
