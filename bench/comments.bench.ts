import { measureReads, datasetSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { hotComments, openDataset, videoId } from './dataset.ts'

/** Cost of listing comments, by size of the dataset. One video has very many comments. */
const rows: Row[] = []
for (const videos of datasetSizes()) {
  const dataset = await openDataset(videos)
  try {
    const path = (n: number) => `/api/v1/comment/get/${videoId(n)}?limit=24`
    const uncached = (n: number) => `${path((n * 31) % Math.min(videos, 20_000))}&${n}`
    rows.push(
      ...(await measureReads(dataset, videos, [
        { question: `24 of ${hotComments}`, paths: [path(0)] },
        {
          question: `24 of ${hotComments}, signed in`,
          paths: [path(0)],
          headers: { cookie: dataset.cookie },
        },
        {
          question: 'of any video, hardly ever ready',
          paths: Array.from({ length: 50_000 }, (_, n) => uncached(n)),
        },
      ])),
    )
  } finally {
    await dataset.stop()
  }
}
report('comments', {}, rows)
