import { Client } from 'pg'
import { uncachedCookie, type Product } from './product.ts'
import { round, datasetSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { openDataset } from './dataset.ts'

/** Duration of searches in a large dataset. Each query is sent once, so that no response is cached. */
const times = 150

const rows: Row[] = []
for (const videos of datasetSizes()) {
  const dataset = await openDataset(videos)
  const client = new Client(dataset.databaseUrl)
  await client.connect()
  try {
    const questions = await termsOf(client)
    rows.push({
      videos,
      question: '(the barest SQL: one video by id)',
      ...(await measure(dataset, () => client.query('select * from videos where id = $1', ['none']))),
    })
    for (const [question, term] of Object.entries(questions)) {
      const countResults = async (n: number) => {
        const path = `/api/v1/video/search/${encodeURIComponent(term(n))}?limit=24`
        const response = await fetch(dataset.url + path, { headers: { cookie: uncachedCookie } })
        if (!response.ok) throw new Error(`${path} returned ${response.status}`)
        return ((await response.json()) as { data: unknown[] }).data.length
      }
      rows.push({ videos, question, ...(await measure(dataset, countResults)) })
    }
    const word = questions['a word'] ?? (() => '')
    for (const letters of [1, 2, 3, 5]) {
      const suggest = async (n: number) => {
        const path = `/api/v1/search/suggestions?text=${word(n).slice(0, letters)}`
        const response = await fetch(dataset.url + path, { headers: { cookie: uncachedCookie } })
        if (!response.ok) throw new Error(`${path} returned ${response.status}`)
        return response.json()
      }
      rows.push({
        videos,
        question: `suggestions, letters: ${letters}`,
        ...(await measure(dataset, suggest)),
      })
    }
  } finally {
    await client.end()
    await dataset.stop()
  }
}
report('search', { times }, rows)

/** Queries: words from common to rare, alone and combined, with and without typos. */
async function termsOf(client: Client): Promise<Record<string, (n: number) => string>> {
  const { rows: vocabulary } = await client.query<{ word: string }>(
    `select word from search_vocabulary where word ~ '^[a-z]{4,}$' order by videos_count desc, word`,
  )
  const words = vocabulary.map((row) => row.word)
  const { rows: titles } = await client.query<{ title: string }>(
    'select title from videos order by id limit $1',
    [times],
  )
  // evenly by logarithm, as people search common words more often than rare ones
  const spread = (n: number) => words[Math.floor(words.length ** (((n * 37) % times) / times)) - 1] ?? ''
  const several = (count: number) => (n: number) =>
    Array.from({ length: count }, (_, at) => spread(n * 7 + at * 11)).join(' ')
  const swapped = (word: string) => word.slice(0, 2) + word.charAt(3) + word.charAt(2) + word.slice(4)
  const common = (n: number, at = 0) => words[(n * 3 + at) % 60] ?? ''
  return {
    'the commonest word': () => words[0] ?? '',
    'one of the 60 commonest': (n) => common(n),
    'two of the 60 commonest': (n) => `${common(n)} ${common(n, 17)}`,
    'a word': spread,
    'two words': several(2),
    'three words': several(3),
    'six words': several(6),
    'the beginning of a word': (n) => spread(n).slice(0, 3),
    'a word with a mistake': (n) => swapped(spread(n)),
    'three words with a mistake each': (n) => several(3)(n).split(' ').map(swapped).join(' '),
    'a whole title (recommendations)': (n) => titles[n]?.title ?? '',
    'a sign that no title has': () => '☃',
    'nothing there is': (n) => `zzzzzzzz${n}`,
  }
}

/** Runs a query `times` times, one after the other. Returns durations, and the CPU time of web and database per query. */
async function measure(product: Product, run: (index: number) => Promise<unknown>): Promise<Row> {
  for (let index = 0; index < 10; index += 1) await run(times + index)
  const durations: number[] = []
  const before = product.cpuSeconds()
  for (let index = 0; index < times; index += 1) {
    const startedAt = performance.now()
    await run(index)
    durations.push(performance.now() - startedAt)
  }
  const cpuMs = ((product.cpuSeconds() - before) * 1000) / times
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor((times - 1) * share)] ?? Number.NaN, 1)
  return { 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'slowest ms': at(1), 'CPU ms': round(cpuMs, 2) }
}
