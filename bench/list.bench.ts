import { measureReads, datasetSizes } from './reads.ts'
import { uncachedCookie } from './product.ts'
import { report, type Row } from './report.ts'
import { openDataset } from './dataset.ts'

/** Cost of listing videos, by size of the dataset. */
const rows: Row[] = []
for (const videos of datasetSizes()) {
  const dataset = await openDataset(videos)
  try {
    const cursors = await cursorsOf(dataset.url, 40)
    rows.push(
      ...(await measureReads(dataset, videos, [
        { question: 'newest 24', paths: ['/api/v1/video/all?limit=24'] },
        {
          question: 'newest 24, gzip',
          paths: ['/api/v1/video/all?limit=24'],
          headers: { 'accept-encoding': 'gzip' },
        },
        {
          question: 'newest 24, signed in',
          paths: ['/api/v1/video/all?limit=24'],
          headers: { cookie: dataset.cookie },
        },
        { question: 'newest 200', paths: ['/api/v1/video/all'] },
        {
          question: '24 anywhere, never ready',
          paths: cursors.map((cursor) => `/api/v1/video/all?limit=24&cursor=${cursor}`),
          headers: { cookie: uncachedCookie },
        },
        {
          question: "a channel's videos, signed in",
          paths: [`/api/v1/users/videos/user1?limit=24`],
          headers: { cookie: dataset.cookie },
        },
      ])),
    )
  } finally {
    await dataset.stop()
  }
}
report('list', {}, rows)

async function cursorsOf(url: string, pages: number): Promise<string[]> {
  const cursors: string[] = []
  for (let page = 0; page < pages; page += 1) {
    const query: string = cursors.length > 0 ? `&cursor=${cursors.at(-1)}` : ''
    const response = await fetch(`${url}/api/v1/video/all?limit=24${query}`)
    const { nextCursor } = (await response.json()) as { nextCursor: string | null }
    if (!nextCursor) break
    cursors.push(nextCursor)
  }
  return cursors
}
