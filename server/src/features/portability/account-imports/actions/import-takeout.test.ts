import { expect, test } from 'vitest'
import { TitledFiles } from './import-takeout.ts'

test('finds the file of a title by what file names keep of it', () => {
  const cut = 'v/A title that is longer than its fi'
  const files = new TitledFiles([
    'v/Ice_ part 1_.mp4',
    'v/Snow(1).mp4',
    'v/Snow.mp4',
    `${cut}.mp4`,
    `${cut}(1).mp4`,
    `${cut}le.mp4`,
  ])
  expect(files.take('Ice: part 1?')).toBe('v/Ice_ part 1_.mp4')
  expect([1, 2, 3].map(() => files.take('Snow'))).toEqual(['v/Snow.mp4', 'v/Snow(1).mp4', undefined])
  expect([1, 2, 3, 4].map(() => files.take('A title that is longer than its file name'))).toEqual([
    `${cut}le.mp4`,
    `${cut}.mp4`,
    `${cut}(1).mp4`,
    undefined,
  ])
  expect(files.take('!')).toBeUndefined()
  expect(files.take('Melt')).toBeUndefined()
  expect([...files.left]).toEqual([])
})

test('finds the files of 20,000 equal or long titles in a moment', () => {
  const files = new TitledFiles(Array.from({ length: 20_000 }, (_, index) => `v/Snow(${index}).mp4`))
  const startedAt = performance.now()
  for (let index = 0; index < 20_000; index += 1) files.take(index % 2 ? 'Snow' : 'x'.repeat(300))
  expect(files.left.size).toBe(10_000)
  // comparing each title with each file takes more than a minute
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})
