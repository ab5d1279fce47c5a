import { ApiError } from '@kinora/contract/client.ts'
import { expect, test } from 'vitest'
import { failedPage, failedPathOf, missingPathOf } from './failed-page.ts'

const page = { pathname: '/video/a', search: '?t=9' }

test.each([new TypeError('Failed to fetch'), new ApiError(502, ''), new ApiError(429, 'Slow down')])(
  'a page that failed for %s can be opened again',
  (error) => {
    expect(failedPathOf(failedPage(error, page))).toBe('/video/a?t=9')
    expect(missingPathOf(failedPage(error, page))).toBeUndefined()
  },
)

test('a page that does not exist cannot be opened again', () => {
  for (const error of [new ApiError(404, 'This video does not exist'), new ApiError(400, 'Invalid id')]) {
    expect(failedPathOf(failedPage(error, page))).toBeUndefined()
    expect(missingPathOf(failedPage(error, page))).toBe('/video/a?t=9')
  }
})

test.each([null, undefined, 'x', {}, { failedPath: 3 }])('the state %j names no page', (state) => {
  expect(failedPathOf(state)).toBeUndefined()
})
