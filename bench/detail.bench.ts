import { measureReads, datasetSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { openDataset, videoId } from './dataset.ts'

/** Cost of reading one video, by size of the dataset. */
const rows: Row[] = []
for (const videos of datasetSizes()) {
  const dataset = await openDataset(videos)
  try {
    const path = (n: number) => `/api/v1/video/${videoId(n)}`
    rows.push(
      ...(await measureReads(dataset, videos, [
        { question: 'one video that many watch', paths: [path(0)] },
        { question: 'the same, signed in', paths: [path(0)], headers: { cookie: dataset.cookie } },
        {
          question: 'any video, hardly ever ready',
          paths: Array.from({ length: 50_000 }, (_, n) => `${path((n * 7919) % videos)}?${n}`),
        },
        {
          question: 'recommendations after any video, hardly ever ready',
          paths: Array.from(
            { length: 50_000 },
            (_, n) => `/api/v1/recommendations/${videoId((n * 7919) % videos)}?${n}`,
          ),
        },
      ])),
    )
  } finally {
    await dataset.stop()
  }
}
report('detail', {}, rows)
