import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listenToEvents } from './event-stream.ts'

class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static readonly all: FakeEventSource[] = []
  readyState = FakeEventSource.CONNECTING

  constructor() {
    super()
    FakeEventSource.all.push(this)
  }

  open() {
    this.readyState = FakeEventSource.OPEN
    this.dispatchEvent(new Event('open'))
  }

  reject() {
    this.close()
    this.dispatchEvent(new Event('error'))
  }

  send(name: string, data: string) {
    this.dispatchEvent(new MessageEvent(name, { data }))
  }

  close() {
    this.readyState = FakeEventSource.CLOSED
  }
}

const { all } = FakeEventSource

beforeEach(() => {
  all.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeEventSource)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('shares one connection until the last listener leaves', () => {
  const received: string[] = []
  const opened: boolean[] = []
  const stopFirst = listenToEvents('/events', { on: { count: (data) => received.push(`first ${data}`) } })
  all[0]?.open()
  const stopSecond = listenToEvents('/events', {
    onOpen: (isShared) => opened.push(isShared),
    on: { progress: (data) => received.push(`second ${data}`) },
  })
  expect([all.length, opened]).toEqual([1, [true]])
  all[0]?.send('count', '1')
  all[0]?.send('progress', '2')
  stopFirst()
  all[0]?.send('count', '3')
  all[0]?.send('progress', '4')
  expect(received).toEqual(['first 1', 'second 2', 'second 4'])
  expect(all[0]?.readyState).toBe(FakeEventSource.OPEN)
  stopSecond()
  expect(all[0]?.readyState).toBe(FakeEventSource.CLOSED)
  listenToEvents('/events', { on: {} })()
  expect(all.length).toBe(2)
})

it('opens a rejected stream again, with the listeners of then', () => {
  const received: string[] = []
  const stop = listenToEvents('/events', { on: { count: (data) => received.push(data) } })
  all[0]?.reject()
  vi.advanceTimersByTime(4999)
  expect(all.length).toBe(1)
  vi.advanceTimersByTime(1)
  all[1]?.reject()
  vi.advanceTimersByTime(9999)
  expect(all.length).toBe(2)
  vi.advanceTimersByTime(1)
  all[2]?.open()
  all[2]?.send('count', '1')
  expect(received).toEqual(['1'])
  all[2]?.reject()
  stop()
  vi.advanceTimersByTime(1_000_000)
  expect(all.length).toBe(3)
})
