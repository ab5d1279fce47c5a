import { expect, test } from 'vitest'
import { Batches } from './batches.ts'

/** Writes nothing, and ends a batch when it is told to. */
function createSink() {
  const batches: {
    items: readonly number[]
    end: (results: number[]) => void
    fail: (error: Error) => void
  }[] = []
  const write = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => batches.push({ items, end: resolve, fail: reject }))
  return { batches, write }
}

test('writes the first at once, and what comes meanwhile together, in order', async () => {
  const { batches, write } = createSink()
  const sink = new Batches(write, 3)
  const added = [1, 2, 3, 4, 5].map((item) => sink.add(item))
  for (const expected of [[1], [2, 3, 4], [5]]) {
    const batch = batches.at(-1)
    expect(batch?.items).toEqual(expected)
    batch?.end(expected.map((item) => item * 10))
    await Promise.all(expected.map(async (item) => added[item - 1]))
    await Promise.resolve()
  }
  expect([batches.length, await Promise.all(added)]).toEqual([3, [10, 20, 30, 40, 50]])
})

test('writes together what comes in the rest after a batch', async () => {
  const { batches, write } = createSink()
  const rests: (() => void)[] = []
  const rest = () => new Promise<void>((resolve) => rests.push(resolve))
  const sink = new Batches(write, 10, rest)
  const first = sink.add(1)
  batches[0]?.end([10])
  expect(await first).toBe(10)
  const later = [sink.add(2), sink.add(3)]
  await Promise.resolve()
  expect(batches).toHaveLength(1)
  rests[0]?.()
  await expect.poll(() => batches.at(-1)?.items).toEqual([2, 3])
  batches[1]?.end([20, 30])
  expect(await Promise.all(later)).toEqual([20, 30])
  // who comes after a rest is written at once
  rests[1]?.()
  await Promise.resolve()
  void sink.add(4)
  expect(batches.at(-1)?.items).toEqual([4])
})

test('tells a failure to those it concerns, and goes on', async () => {
  const { batches, write } = createSink()
  const sink = new Batches(write, 3)
  const [first, second] = [sink.add(1), sink.add(2)]
  batches[0]?.fail(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  batches[1]?.end([20])
  expect(await second).toBe(20)
})
