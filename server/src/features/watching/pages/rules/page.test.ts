import { expect, test } from 'vitest'
import { pageOf } from './page.ts'

test.each([
  '/account',
  '/account/security',
  '/administration/overview',
  '/administration/people/ines',
  '/administration/settings/mail',
  '/administration/to-decide',
  '/channels',
  '/popular',
  '/record',
  '/shared',
  '/embed/shared',
  '/studio/comments',
  '/studio/live/browser',
  '/studio/hT5mQ2xWc9RkB7fL',
  '/studio/hT5mQ2xWc9RkB7fL/analytics',
  '/studio/hT5mQ2xWc9RkB7fL/cut',
  '/studio/hT5mQ2xWc9RkB7fL/captions/file-0',
])('%s is a page of its own', (path) => {
  expect(pageOf(path)).toMatchObject({
    kind: 'plain',
    isIndexed: path === '/channels' || path === '/popular',
  })
})

test.each(['/account/nothing', '/administration/nothing', '/administration/jobs/1', '/studio/a/b'])(
  '%s is unknown',
  (path) => {
    expect(pageOf(path)).toEqual({ kind: 'unknown' })
  },
)
