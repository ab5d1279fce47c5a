import { Client } from 'pg'
import { openDataset, videoId } from './dataset.ts'
import { measureReads, datasetSizes } from './reads.ts'
import { uncachedCookie } from './product.ts'
import { report, type Row } from './report.ts'

/** Cost of searching captions. Every video has captions of 200 words, whose frequencies follow Zipf's law. */
const cuesOfVideo = 20
const wordsOfCue = 10
const batchSize = 1000

const rows: Row[] = []
for (const videos of datasetSizes()) {
  const dataset = await openDataset(videos)
  const client = new Client(dataset.databaseUrl)
  await client.connect()
  try {
    const { rows: found } = await client.query<{ word: string }>(
      `select word from search_vocabulary where word ~ '^[a-z]{4,}$' order by videos_count desc, word limit 100000`,
    )
    const words = found.map(({ word }) => word)
    await addCaptions(client, videos, words)
    const word = (n: number, most: number) => words[Math.floor(most ** (((n * 37) % 1009) / 1009))] ?? ''
    const headers = { cookie: uncachedCookie }
    const paths = (text: (n: number) => string) =>
      Array.from({ length: 50_000 }, (_, n) => `/api/v1/search/moments?text=${encodeURIComponent(text(n))}`)
    rows.push(
      ...(await measureReads(dataset, videos, [
        { question: 'one of the 60 commonest', paths: paths((n) => word(n, 60)), headers },
        { question: 'a word', paths: paths((n) => word(n, words.length)), headers },
        { question: 'two words', paths: paths((n) => `${word(n, 1000)} ${word(n + 7, 1000)}`), headers },
        { question: 'nothing there is', paths: paths((n) => `zzzzzzzz${n}`), headers },
      ])),
    )
  } finally {
    await client.end()
    await dataset.stop()
  }
}
report('moments', { wordsOfVideo: cuesOfVideo * wordsOfCue }, rows)

/** Adds captions to all videos of a kept data set that has none. A trigger indexes them. */
async function addCaptions(client: Client, videos: number, words: readonly string[]): Promise<void> {
  const { rowCount } = await client.query('select from captions limit 1')
  if (rowCount) return
  for (let from = 0; from < videos; from += batchSize) {
    const ids = Array.from({ length: Math.min(batchSize, videos - from) }, (_, at) => videoId(from + at))
    await client.query(
      `insert into captions (id, video_id, language, label, content)
       select 'bench-' || id, id, 'en', 'English', content from unnest($1::text[], $2::text[]) given (id, content)`,
      [ids, ids.map(() => captionsOf(words))],
    )
  }
  await client.query('vacuum analyze captions, caption_search')
}

function captionsOf(words: readonly string[]): string {
  const word = () => words[Math.floor(words.length ** Math.random()) - 1] ?? ''
  const cues = Array.from({ length: cuesOfVideo }, (_, cue) => {
    const second = String(cue * 2).padStart(2, '0')
    const text = Array.from({ length: wordsOfCue }, word).join(' ')
    return `00:${second}.000 --> 00:${second}.900\n${text}`
  })
  return ['WEBVTT', ...cues].join('\n\n')
}
