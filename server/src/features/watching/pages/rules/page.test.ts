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
  '/clips',
  '/popular',
  '/record',
  '/shared',
  '/embed/shared',
  '/studio/clips',
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

test('finds the page of a clip, and its embedded player', () => {
  expect(pageOf('/clip/Wd8rF2kVb5NyM0pH/')).toEqual({ kind: 'clip', clipId: 'Wd8rF2kVb5NyM0pH' })
  expect(pageOf('/embed/clip/Wd8rF2kVb5NyM0pH')).toEqual({ kind: 'clip-embed', clipId: 'Wd8rF2kVb5NyM0pH' })
  expect(pageOf('/embed/clip')).toMatchObject({ kind: 'embed', videoId: 'clip' })
})

test.each([
  '/account/nothing',
  '/clip',
  '/clip/a/b',
  '/embed/clip/%zz',
  '/administration/nothing',
  '/administration/jobs/1',
  '/studio/a/b',
])('%s is unknown', (path) => {
  expect(pageOf(path)).toEqual({ kind: 'unknown' })
})
