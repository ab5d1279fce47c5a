import { expect, it } from 'vitest'
import { formatDay, sharesOfCaptions, sharesOfQualities, sharesOfSources } from './labels.ts'

it('names sources with the host of other sites', () => {
  const shares = sharesOfSources([
    { source: 'embed', host: 'news.example', playbacks: 3 },
    { source: 'search', host: null, playbacks: 1 },
  ])
  expect(shares).toEqual([
    { label: 'Embedded players: news.example', amount: 3, share: 0.75 },
    { label: 'Search on this site', amount: 1, share: 0.25 },
  ])
})

it('names languages, and keeps what is none', () => {
  const labels = sharesOfCaptions(
    [null, 'pt-br', 'other', 'x-1234567890'].map((language) => ({ language, watchedSeconds: 1 })),
  ).map(({ label }) => label)
  expect(labels).toEqual(['Without captions', 'Brazilian Portuguese', 'Other languages', 'x-1234567890'])
})

it('has shares of nothing', () => {
  expect(sharesOfQualities([{ lines: null, watchedSeconds: 0 }])).toEqual([
    { label: 'Unknown', amount: 0, share: 0 },
  ])
})

it('formats days in UTC', () => {
  expect([formatDay('2026-11-09'), formatDay('2026-11-09', true)]).toEqual(['9 Nov 2026', '9 Nov'])
})
