import { expect, test } from 'vitest'
import { normalUrl } from './normal-url.ts'

test.each([
  ['/api/v1/video/all', '/api/v1/video/all'],
  ['/%61pi/v1/video/all?limit=%61', '/api/v1/video/all?limit=%61'],
  ['/%6Dedia/x%2Fy%20z%C3%A9', '/media/x%2Fy%20z%C3%A9'],
  ['http://elsewhere.example/api/v1/video/all?a=1', '/api/v1/video/all?a=1'],
  ['HTTP://elsewhere.example', '/'],
  ['http://elsewhere.example?a=1', '/?a=1'],
  ['//elsewhere.example/x', '//elsewhere.example/x'],
  ['/%zz%2', '/%zz%2'],
  ['/a?b?c', '/a?b?c'],
  ['/a?', '/a?'],
  ['*', '/*'],
])('%s is %s', (given, normal) => {
  expect(normalUrl(given)).toBe(normal)
})
