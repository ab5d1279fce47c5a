import { expect, test } from 'vitest'
import { Batches } from './batches.ts'

/** Records batches; the test decides when each one ends. */
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

test('writes the first item immediately and later ones in ordered batches', async () => {
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

test('collects items during the pause after a batch', async () => {
  const { batches, write } = createSink()
  const pauses: (() => void)[] = []
  const pause = () => new Promise<void>((resolve) => pauses.push(resolve))
  const sink = new Batches(write, 10, pause)
  const first = sink.add(1)
  batches[0]?.end([10])
  expect(await first).toBe(10)
  const later = [sink.add(2), sink.add(3)]
  await Promise.resolve()
  expect(batches).toHaveLength(1)
  pauses[0]?.()
  await expect.poll(() => batches.at(-1)?.items).toEqual([2, 3])
  batches[1]?.end([20, 30])
  expect(await Promise.all(later)).toEqual([20, 30])
  // an item added after the pause is written immediately
  pauses[1]?.()
  await Promise.resolve()
  void sink.add(4)
  expect(batches.at(-1)?.items).toEqual([4])
})

test('rejects only the items of a failed batch', async () => {
  const { batches, write } = createSink()
  const sink = new Batches(write, 3)
  const [first, second] = [sink.add(1), sink.add(2)]
  batches[0]?.fail(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  batches[1]?.end([20])
  expect(await second).toBe(20)
})
