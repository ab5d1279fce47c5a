import { measureReads, worldSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { hotComments, openWorld, videoId } from './world.ts'

/** What do the comments of a video cost, for however many videos there are? One of them has very many comments. */
const rows: Row[] = []
for (const videos of worldSizes()) {
  const world = await openWorld(videos)
  try {
    const path = (n: number) => `/api/v1/comment/get/${videoId(n)}?limit=24`
    const unready = (n: number) => `${path((n * 31) % Math.min(videos, 20_000))}&${n}`
    rows.push(
      ...(await measureReads(world, videos, [
        { question: `24 of ${hotComments}`, paths: [path(0)] },
        { question: `24 of ${hotComments}, signed in`, paths: [path(0)], headers: { cookie: world.cookie } },
        {
          question: 'of any video, hardly ever ready',
          paths: Array.from({ length: 50_000 }, (_, n) => unready(n)),
        },
      ])),
    )
  } finally {
    await world.stop()
  }
}
report('comments', {}, rows)
