import { expect, test } from 'vitest'
import { listProblems, updateLines } from './endpoint-lines.ts'

const likes = { method: 'GET', path: '/likes/:id', auth: 'optional' } as const
const lines = ['GET    /likes/:id anybody since 0.1.0']

test('adds new endpoints, and keeps what ended', () => {
  const put = { method: 'PUT', path: '/likes/:id', auth: 'required' } as const
  expect(updateLines(lines, [likes])).toEqual(lines)
  expect(updateLines(lines, [put])).toEqual([
    'GET    /likes/:id anybody since 0.1.0 until unreleased',
    'PUT    /likes/:id member since unreleased',
  ])
})

test('reports an endpoint without a line', () => {
  expect(listProblems([], [likes], '')).toEqual([
    'Run `npm run endpoints`: contract/endpoints.txt lacks "GET    /likes/:id anybody since unreleased"',
  ])
})

test('asks the changelog about endpoints that ended or have other callers', () => {
  const ofModerators = { ...likes, auth: 'required', role: 'moderator' } as const
  const changed = updateLines(lines, [ofModerators])
  expect(listProblems(changed, [ofModerators], 'Likes are gone.')).toEqual([
    'CHANGELOG.md does not say that `GET /likes/:id` ended or has other callers',
  ])
  expect(listProblems(changed, [ofModerators], 'Only moderators may call `GET /likes/:id`.')).toEqual([])
})
