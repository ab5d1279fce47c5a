import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CacheTags, TaggedCache } from './tagged-cache.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

/** A cache with one key. Each read ends with `release`, and returns its number. */
function createCache() {
  const tags = new CacheTags()
  const cache = new TaggedCache<number>(tags, { maxSize: 10 })
  const source = { reads: 0, release: () => {} }
  const read = async () => {
    source.reads += 1
    const number = source.reads
    await new Promise<void>((resolve) => (source.release = resolve))
    return number
  }
  const get = () => cache.get('key', ['videos', 'counts'], read)
  const fill = async () => {
    const value = get()
    source.release()
    vi.advanceTimersByTime(1)
    return value
  }
  const clear = (...cleared: ('videos' | 'counts' | 'comments')[]) => {
    tags.clear(cleared)
    vi.advanceTimersByTime(1)
  }
  return { cache, source, get, fill, clear }
}

test('concurrent requests share one read', async () => {
  const { source, get } = createCache()
  const values = Promise.all(Array.from({ length: 100 }, get))
  source.release()
  expect(await values).toEqual(Array.from({ length: 100 }, () => 1))
  expect([await get(), source.reads]).toEqual([1, 1])
})

test('a value is used until one of its tags is cleared', async () => {
  const { cache, fill, clear } = createCache()
  expect(await fill()).toBe(1)
  clear('comments')
  expect([cache.has('key'), await fill()]).toEqual([true, 1])
  clear('comments', 'counts')
  expect([cache.has('key'), await fill()]).toEqual([false, 2])
  clear('videos')
  expect([cache.has('key'), await fill()]).toEqual([false, 3])
})

test('a request after a clear never gets a read that began before it', async () => {
  const { source, get, clear } = createCache()
  const before = get()
  vi.advanceTimersByTime(1)
  clear('videos')
  const after = [get(), get()]
  clear('videos')
  after.push(get())
  // at most one read runs
  expect(source.reads).toBe(1)
  source.release()
  expect(await before).toBe(1)
  await vi.waitFor(() => expect(source.reads).toBe(2))
  vi.advanceTimersByTime(1)
  source.release()
  expect(await Promise.all(after)).toEqual([2, 2, 2])
  expect([await get(), source.reads]).toEqual([2, 2])
})

test('a value expires a second after its read began', async () => {
  const { cache, source, get, fill } = createCache()
  const value = get()
  vi.advanceTimersByTime(600)
  source.release()
  await value
  vi.advanceTimersByTime(399)
  expect(cache.has('key')).toBe(true)
  vi.advanceTimersByTime(1)
  expect([cache.has('key'), await fill()]).toEqual([false, 2])
})

test('a failed read rejects all requests that wait for it and is not stored', async () => {
  const { cache } = createCache()
  const fail = () => Promise.reject(new Error('lost'))
  const results = await Promise.allSettled([cache.get('key', [], fail), cache.get('key', [], fail)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await cache.get('key', [], async () => 7)).toBe(7)
})

test('the least recently used values make room', async () => {
  const cache = new TaggedCache<string>(new CacheTags(), { maxSize: 10, sizeOf: (text) => text.length })
  for (const text of ['aaaa', 'bbbb', 'cccc']) await cache.get(text, [], async () => text)
  expect(['aaaa', 'bbbb', 'cccc'].map((key) => cache.has(key))).toEqual([false, true, true])
})
