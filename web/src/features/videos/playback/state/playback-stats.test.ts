import { expect, it } from 'vitest'
import { type PlaybackStats, statsRows } from './playback-stats.ts'

const stats: PlaybackStats = {
  videoWidth: 1280,
  videoHeight: 720,
  framesPerSecond: 29.97003,
  playerWidth: 940.4,
  playerHeight: 529,
  pixelRatio: 2,
  codecs: 'avc1.64001f, mp4a.40.2',
  droppedFrames: 2,
  totalFrames: 300,
  bufferedSeconds: 12.34,
  bandwidthBps: 5_440_000,
  positionSeconds: 10.016,
}

it('statsRows names every value with its unit', () => {
  expect(statsRows(stats)).toEqual([
    ['Resolution', '1280×720 at 29.97 fps'],
    ['Player', '940×529 × 2'],
    ['Codecs', 'avc1.64001f, mp4a.40.2'],
    ['Dropped frames', '2 of 300'],
    ['Buffer', '12.3 s'],
    ['Connection', '5.4 Mbit/s'],
    ['Position', '10.02 s'],
  ])
})

it('statsRows leaves out unknown values', () => {
  const rows = statsRows({
    ...stats,
    framesPerSecond: undefined,
    codecs: undefined,
    bandwidthBps: undefined,
    pixelRatio: 1,
  })
  expect(rows.map(([label]) => label)).toEqual([
    'Resolution',
    'Player',
    'Dropped frames',
    'Buffer',
    'Position',
  ])
  expect(rows.slice(0, 2).map(([, text]) => text)).toEqual(['1280×720', '940×529'])
})
