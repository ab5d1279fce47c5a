import { recountWords } from '../server/src/features/search/queries.ts'
import { measure, report, type Row } from './report.ts'
import { createWorld } from './world.ts'

/** How long does a search take among many videos, whatever is typed? */
const videos = Number(process.argv[3] ?? 100_000)
const times = 200

const world = await createWorld(videos)
try {
  await recountWords(world.context.db)
  const { rows: words } = await world.client.query<{ word: string; count: number }>(
    'select word, videos_count as count from search_vocabulary where word ~ $1 order by videos_count desc',
    ['^[a-z]{4,}$'],
  )
  const { rows: titles } = await world.client.query<{ title: string }>(
    'select title from videos order by id limit 500',
  )
  // every 30th of the words by how common they are, so that each kind of word is met
  const spread = Array.from({ length: times }, (_, n) => words[(n * 30) % words.length]?.word ?? 'the')
  const swap = (word: string) => word.slice(0, 1) + word.charAt(2) + word.charAt(1) + word.slice(3)
  const questions: Record<string, (n: number) => string> = {
    'a word': (n) => spread[n] ?? '',
    'the beginning of a word': (n) => (spread[n] ?? '').slice(0, 3),
    'a word with a mistake': (n) => swap(spread[n] ?? ''),
    'a whole title (recommendations)': (n) => titles[n]?.title ?? '',
    'the commonest word': () => 'the',
    'nothing there is': (n) => `zzzzzzzz${n}`,
  }
  const bareQuery = await measure(times, () =>
    world.client.query('select id from videos where id = $1', ['none']),
  )
  const bareReply = await measure(times, () => world.get('/bare'))
  const timesBare = (best: number) => Math.round((best / bareReply.best) * 10) / 10
  const answers: Row[] = []
  for (const [question, term] of Object.entries(questions)) {
    const result = await measure(times, (n) =>
      world.get(`/api/v1/video/search/${encodeURIComponent(term(n))}`),
    )
    answers.push({ question, ...result, 'times a bare reply': timesBare(result.best) })
  }
  report('search', { videos, words: words.length }, [
    { question: '(a bare Fastify reply)', ...bareReply, 'times a bare reply': 1 },
    { question: '(a bare SQL query)', ...bareQuery, 'times a bare reply': timesBare(bareQuery.best) },
    ...answers,
  ])
} finally {
  await world.close()
}
