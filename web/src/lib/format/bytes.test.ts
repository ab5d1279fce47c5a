import { expect, it } from 'vitest'
import { formatBytes } from './bytes.ts'

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [999_499, '999 KB'],
  [999_600, '1.00 MB'],
  [1_420_000_000, '1.42 GB'],
  [880_000_000, '880 MB'],
  [64_200_000, '64.2 MB'],
])('%d: %s', (sizeBytes, text) => {
  expect(formatBytes(sizeBytes)).toBe(text)
})
