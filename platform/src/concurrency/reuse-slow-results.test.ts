import { expect, test } from 'vitest'
import { reuseSlowResults } from './reuse-slow-results.ts'

test('slow results are reused for fifty times as long as they took, at most an hour', async () => {
  let time = 0
  let takes = 4000
  let runs = 0
  const count = reuseSlowResults(
    async (_owner: object, _value: string) => {
      time += takes
      runs += 1
      return runs
    },
    () => time,
  )
  const [site, other] = [{}, {}]
  expect(await count(site, 'a')).toBe(1)
  expect(await count(site, 'a')).toBe(1)
  expect(await count(site, 'b')).toBe(2)
  expect(await count(other, 'a')).toBe(3)
  time = 203_999
  expect(await count(site, 'a')).toBe(1)
  time = 204_000
  takes = 10
  expect(await count(site, 'a')).toBe(4)
  expect(await count(site, 'a')).toBe(5)
  takes = 200_000
  expect(await count(site, 'a')).toBe(6)
  time += 3_599_999
  expect(await count(site, 'a')).toBe(6)
  time += 1
  expect(await count(site, 'a')).toBe(7)
})

test('calls meanwhile share a result, and failures are not kept', async () => {
  const { promise, reject } = Promise.withResolvers<number>()
  let isFirst = true
  const count = reuseSlowResults((_owner: object) => {
    const result = isFirst ? promise : Promise.resolve(2)
    isFirst = false
    return result
  })
  const site = {}
  const both = Promise.allSettled([count(site), count(site)])
  reject(new Error('The database is gone'))
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await count(site)).toBe(2)
})
