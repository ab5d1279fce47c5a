import { expect, test } from 'vitest'
import { FragmentReader, writeSegment, type Fragment, type Sample } from './fmp4.ts'

const sample = (pts: number, text: string, isKey = false): Sample => ({ pts, isKey, data: Buffer.from(text) })

function read(bytes: Buffer, chunkSize: number): Fragment[] {
  const fragments: Fragment[] = []
  const reader = new FragmentReader((fragment) => fragments.push(fragment))
  for (let at = 0; at < bytes.length; at += chunkSize) reader.push(bytes.subarray(at, at + chunkSize))
  return fragments
}

test.each([1, 7, 100_000])('reads its own output in chunks of %i bytes', (chunkSize) => {
  const first = [sample(1000, 'key', true), sample(4000, 'p'), sample(2000, 'bb'), sample(3000, 'b')]
  const second = [sample(5000, 'next', true)]
  const bytes = Buffer.concat([writeSegment(1, first, 5000), writeSegment(2, second, 6000)])
  const fragments = read(bytes, chunkSize)
  expect(fragments.map(({ samples }) => samples.map(({ pts, isKey }) => [pts, isKey]))).toEqual([
    [
      [1000, true],
      [4000, false],
      [2000, false],
      [3000, false],
    ],
    [[5000, true]],
  ])
  expect(fragments[0]?.samples.map(({ data }) => Buffer.from(data).toString())).toEqual([
    'key',
    'p',
    'bb',
    'b',
  ])
})

test('the bytes of a segment depend only on its frames', () => {
  const frames = [sample(1000, 'key', true), sample(3000, 'p'), sample(2000, 'b')]
  expect(writeSegment(4, frames, 4000)).toEqual(writeSegment(4, structuredClone(frames), 4000))
})
