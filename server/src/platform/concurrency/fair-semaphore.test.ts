import { expect, test } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

/** Notes who has started; everybody who has is ended by `end`. */
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

test('keys take turns, however many wait for one of them', async () => {
  const { settled, end } = start(
    new FairSemaphore({ total: 1, perKey: 1 }),
    ['x1', 'a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => [name]),
  )
  const order = [...(await settled())]
  await end('')
  for (let last = order.at(-1); order.length < 7; last = order.at(-1)) order.push(...(await end(last ?? '')))
  expect(order).toEqual(['x1', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('one key has its share at most', async () => {
  const { settled } = start(new FairSemaphore({ total: 4, perKey: 2 }), [['a1'], ['a2'], ['a3'], ['b1']])
  expect(await settled()).toEqual(['a1', 'a2', 'b1'])
})

test('large work waits for its units, is not overtaken for ever, and runs alone if it needs more than all', async () => {
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

test('a wait that is aborted takes nothing', async () => {
  const semaphore = new FairSemaphore({ total: 1, perKey: 1 })
  const release = await semaphore.acquire('a')
  const over = new AbortController()
  const waiting = semaphore.acquire('b', 1, over.signal)
  over.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  release()
  await semaphore.acquire('c')
})

test('units come back when the work fails', async () => {
  const semaphore = new FairSemaphore({ total: 1, perKey: 1 })
  await expect(semaphore.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await semaphore.run('a', async () => 'done')).toBe('done')
})
