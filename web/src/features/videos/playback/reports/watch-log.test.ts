import { expect, it } from 'vitest'
import { WatchLog } from './watch-log.ts'

const shown = { durationSeconds: 100, captions: null, lines: 720 }

function play(log: WatchLog, from: number, to: number, fields: object = {}) {
  for (let seconds = from; seconds <= to; seconds += 0.25) log.advance({ ...shown, seconds, ...fields })
}

const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, part) => start + part)

it('reports the parts and seconds that were played', () => {
  const log = new WatchLog()
  play(log, 0, 10)
  expect(log.take()).toEqual({
    isFirst: true,
    watchedSeconds: 10,
    parts: upTo(10),
    captions: null,
    lines: 720,
  })
  expect(log.take()).toBeUndefined()
})

it('reports later only what was not reported before', () => {
  const log = new WatchLog()
  play(log, 0, 10)
  log.take()
  log.jump()
  play(log, 5, 12)
  expect(log.take()).toMatchObject({ isFirst: false, watchedSeconds: 7, parts: [10, 11] })
})

it('does not count what a jump skips, nor a stop', () => {
  const log = new WatchLog()
  log.advance({ ...shown, seconds: 3 })
  log.advance({ ...shown, seconds: 3 })
  expect(log.take()).toBeUndefined()
  play(log, 3, 5)
  log.jump()
  play(log, 90, 95)
  expect(log.take()).toMatchObject({ watchedSeconds: 7, parts: [3, 4, 90, 91, 92, 93, 94] })
})

it('ends at the last part, even where the last frame is later than the duration', () => {
  const log = new WatchLog()
  play(log, 98, 100.5)
  expect(log.take()?.parts).toEqual([98, 99])
})

it('names the captions and the quality that were shown the longest', () => {
  const log = new WatchLog()
  play(log, 0, 2)
  play(log, 2, 9, { captions: 'en', lines: 1080 })
  play(log, 9, 10)
  expect(log.take()).toMatchObject({ captions: 'en', lines: 1080 })
})

it('waits for the duration', () => {
  const log = new WatchLog()
  play(log, 0, 2, { durationSeconds: Number.NaN })
  expect(log.take()).toBeUndefined()
})

it('does not count a start that was stopped at once', () => {
  const log = new WatchLog()
  play(log, 0, 0)
  log.advance({ ...shown, seconds: 0.03 })
  expect(log.take()).toBeUndefined()
})
