import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { introPauseMs, saveShown, wasShownLately } from './recent-intros.ts'

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.restoreAllMocks())

test('an intro is shown again ten minutes later', () => {
  expect(wasShownLately('one', 1000)).toBe(false)
  saveShown('one', 1000)
  expect(wasShownLately('one', 1000 + introPauseMs - 1)).toBe(true)
  expect(wasShownLately('one', 1000 + introPauseMs)).toBe(false)
  expect(wasShownLately('another', 1000)).toBe(false)
})

test('without storage every video has its intro', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError')
  })
  saveShown('one', 1000)
  expect(wasShownLately('one', 1000)).toBe(false)
})
