import { searchVideos } from '@kinora/contract/watching/search.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blindDemoJudgements, blindJudgements } from '../../../testing/fixtures/blind-judgements.ts'
import { demoCorpus, demoJudgements } from '../../../testing/fixtures/demo-judgements.ts'
import { corpus, judgements, ndcg, shownResults } from '../../../testing/fixtures/search-corpus.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { videoRow } from '../../../testing/fixtures/test-videos.ts'
import { recountWords } from './queries/vocabulary.ts'

let site: TestApp

beforeEach(async () => {
  site = await createTestApp({ settings: { SEARCHES_PER_MINUTE: '1000' } })
})
afterEach(() => site.close())

test.each([
  { library: 'in several languages', videos: corpus, judged: judgements, minimum: 0.98 },
  { library: 'of the demo', videos: demoCorpus, judged: demoJudgements, minimum: 0.93 },
  { library: 'in several languages, asked blindly', videos: corpus, judged: blindJudgements, minimum: 0.92 },
  { library: 'of the demo, asked blindly', videos: demoCorpus, judged: blindDemoJudgements, minimum: 0.9 },
])('finds what was meant first in a library $library', async ({ videos, judged, minimum }) => {
  await fill(videos)
  const known = new Set(videos.map(([key]) => key))
  const graded = Object.values(judged).flatMap((grades) => Object.keys(grades))
  expect(graded.filter((key) => !known.has(key))).toEqual([])
  const scores: { term: string; score: number }[] = []
  for (const [term, grades] of Object.entries(judged)) {
    if (Object.keys(grades).length === 0) continue
    const { items } = await site
      .client()
      .call(searchVideos, { params: { term }, query: { limit: shownResults } })
    scores.push({
      term,
      score: ndcg(
        items.map(({ _id }) => _id),
        grades,
      ),
    })
  }
  const mean = scores.reduce((sum, { score }) => sum + score, 0) / scores.length
  const worst = scores.toSorted((a, b) => a.score - b.score).slice(0, 10)
  expect(mean, JSON.stringify(worst)).toBeGreaterThan(minimum)
})

test('finds nothing for very common words next to words that no video has', async () => {
  await fill(demoCorpus)
  for (const term of ['no such video', 'the video that nobody xyzzy']) {
    const { items } = await site.client().call(searchVideos, { params: { term } })
    expect([term, items.map(({ title }) => title)]).toEqual([term, []])
  }
})

/** Inserts channels and videos, keyed by the id of the video. */
async function fill(videos: readonly (readonly [string, string, string, string?])[]) {
  const names = [...new Set(videos.map(([, channel]) => channel))]
  await site.db
    .insertInto('users')
    .values(
      names.map((fullname, n) => ({
        id: `c${n}`,
        username: `channel${n}`,
        email: `c${n}@example.org`,
        fullname,
        passwordHash: 'x',
        avatar: 'x',
      })),
    )
    .execute()
  await site.db
    .insertInto('videos')
    .values(
      videos.map(([id, channel, title, description = '']) =>
        videoRow(`c${names.indexOf(channel)}`, { id, title, description }),
      ),
    )
    .execute()
  await recountWords(site.db)
}
