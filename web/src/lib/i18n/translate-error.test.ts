import { ApiError } from '@kinora/contract/client.ts'
import { expect, it } from 'vitest'
import { loadErrorTranslator, translateFailure } from './translate-error.ts'

it('translates errors by their reasons, with numbers, units and labels of the language, and those of fields', async () => {
  const sent = new ApiError(429, 'New accounts can write 20 comments in 24 hours.', {
    code: 'too_many_requests',
    reason: 'new_account_comments',
    params: { limit: 20, waitMs: 18_000_000, newDays: 1 },
    errors: [
      {
        path: 'content',
        message: 'Comment may have at most 5,000 characters',
        reason: 'too_long',
        params: { label: 'Comment', limit: 5000 },
      },
    ],
  })
  const failure = await translateFailure(sent, 'de')
  expect(failure.message).toBe(
    'Neue Konten können in 24 Stunden 20 Kommentare schreiben. Versuch es in 5 Stunden noch einmal. Die Grenze wächst und endet 1 Tag nach deiner Registrierung.',
  )
  expect(failure.errors.map(({ path, message }) => [path, message])).toEqual([
    ['content', 'Kommentar darf höchstens 5.000 Zeichen haben'],
  ])
  expect([failure.status, failure.code, failure.reason]).toEqual([
    429,
    'too_many_requests',
    'new_account_comments',
  ])
})

it('has plural forms', async () => {
  const explain = await loadErrorTranslator('de')
  const quota = (quotaVideos: number, usedVideos: number) =>
    explain({ reason: 'quota_videos', params: { quotaVideos, usedVideos } }, '')
  expect(quota(1, 3)).toMatch(/1 Video\b.*3 Videos\b/)
})

it('keeps values as they are, whatever they contain', async () => {
  const explain = await loadErrorTranslator('de')
  for (const names of ['Comment', 'Title is required', '<b>x</b> {limit} # $& \\u0041', "'{names}'"])
    expect(explain({ reason: 'no_such_viewers', params: { names } }, '')).toContain(names)
})

it('keeps messages without a translation as they were sent', async () => {
  const sent = new ApiError(409, 'The moon is full', { code: 'conflict', reason: 'full_moon' })
  expect(await translateFailure(sent, 'de')).toEqual(sent)
  const explain = await loadErrorTranslator('de')
  expect(explain(null, 'Of an old row')).toBe('Of an old row')
})
