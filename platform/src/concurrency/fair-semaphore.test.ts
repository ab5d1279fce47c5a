import { expect, test } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

/** Requests units for each name and records which have started. `end` releases one. */
function start(semaphore: FairSemaphore, asked: [key: string, units?: number][]) {
  const started: string[] = []
  const releases = new Map<string, () => void>()
  const all = asked.map(async ([name, units]) => {
    const release = await semaphore.acquire(name.slice(0, 1), units)
    started.push(name)
    releases.set(name, release)
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    settled: async () => {
      await settle()
      return started
    },
    end: async (name: string) => {
      releases.get(name)?.()
      await settle()
      return started.splice(0)
    },
    all,
  }
}

test('serves waiting keys in turn (round robin)', async () => {
  const { settled, end } = start(
    new FairSemaphore({ total: 1, perKey: 1 }),
    ['x1', 'a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => [name]),
  )
  const order = [...(await settled())]
  await end('')
  for (let last = order.at(-1); order.length < 7; last = order.at(-1)) order.push(...(await end(last ?? '')))
  expect(order).toEqual(['x1', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('limits the units of one key', async () => {
  const { settled } = start(new FairSemaphore({ total: 4, perKey: 2 }), [['a1'], ['a2'], ['a3'], ['b1']])
  expect(await settled()).toEqual(['a1', 'a2', 'b1'])
})

test('does not starve large work, and runs it alone if it needs more than the total', async () => {
  const semaphore = new FairSemaphore({ total: 10, perKey: 10 })
  const { settled, end } = start(semaphore, [
    ['a1', 6],
    ['b1', 20],
    ['c1', 1],
  ])
  expect([...(await settled())]).toEqual(['a1'])
  await end('')
  expect(await end('a1')).toEqual(['b1'])
  expect(await end('b1')).toEqual(['c1'])
})

test('takes no units for an aborted wait', async () => {
  const semaphore = new FairSemaphore({ total: 1, perKey: 1 })
  const release = await semaphore.acquire('a')
  const over = new AbortController()
  const waiting = semaphore.acquire('b', 1, over.signal)
  over.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  release()
  await semaphore.acquire('c')
})

test('releases the units when the work fails', async () => {
  const semaphore = new FairSemaphore({ total: 1, perKey: 1 })
  await expect(semaphore.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await semaphore.run('a', async () => 'done')).toBe('done')
})
