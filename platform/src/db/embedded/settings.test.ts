import { expect, test } from 'vitest'
import { sharedBuffersFor } from './settings.ts'

const gigabyte = 1024 ** 3

test.each([
  ['512 MB', gigabyte / 2, '128MB'],
  ['8 GB', 8 * gigabyte, '1024MB'],
  ['256 GB', 256 * gigabyte, '4096MB'],
])('gives PostgreSQL an eighth of %s within limits', (_, memoryBytes, expected) => {
  expect(sharedBuffersFor(memoryBytes)).toBe(expected)
})

test('has a value for this machine', () => {
  expect(sharedBuffersFor()).toMatch(/^\d+MB$/)
})
