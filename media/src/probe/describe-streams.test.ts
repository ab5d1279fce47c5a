import { expect, test } from 'vitest'
import { describeAudio, describeChapters, describeVideo, probed } from './describe-streams.ts'
import { encodeMemoryBytes } from '../encode/encode.ts'
import type { SourceInfo } from '../source/source-info.ts'

test('uses the first audio tracks and the default one of four hundred', () => {
  const streams = Array.from({ length: 400 }, (_, index) => ({
    index,
    codec_type: 'audio',
    channels: 2,
    sample_rate: 48_000,
    disposition: { default: index === 300 ? 1 : 0 },
  }))
  const index = { audio: [] } as never
  const tracks = describeAudio(probed.parse({ streams }).streams, index, { endSeconds: 10 } as never)
  expect(tracks.map(({ position }) => position)).toEqual([...Array.from({ length: 15 }, (_, i) => i), 300])
})

test.each([
  [0, 640, 360],
  [90, 360, 640],
  [180, 640, 360],
  [-90, 360, 640],
])('a video of 640x360 that is turned by %i degrees is shown as %ix%i', (rotation, width, height) => {
  const turned = {
    index: 0,
    codec_type: 'video',
    codec_name: 'h264',
    width: 640,
    height: 360,
    side_data_list: [{ rotation }],
  }
  const [stream] = probed.parse({ streams: [turned] }).streams
  const index = { video: { startSeconds: 0, endSeconds: 1 }, framesPerSecond: 25 } as never
  const described = stream && describeVideo('mp4', stream, index)
  expect(described).toMatchObject({ displayWidth: width, displayHeight: height })
})

test('orders chapters, limits them to the video and names them', () => {
  const chapters = [
    { start_time: '12.5', tags: { title: 'Behind\nthe end' } },
    { start_time: '5', tags: { title: '' } },
    { start_time: '5' },
    { start_time: '1.5', tags: { title: ' Two\nlines ' } },
    {},
  ]
  const timeline = { zeroSeconds: 2, durationSeconds: 10 }
  const describe = (found: object[]) => describeChapters(probed.parse({ chapters: found }).chapters, timeline)
  expect(describe(chapters)).toEqual([
    { title: 'Two lines', startSeconds: 0 },
    { title: 'Chapter 2', startSeconds: 3 },
  ])
  expect(describe(chapters.slice(0, 2))).toEqual([])
})

test('estimates encoder memory from pixels, bit depth and subsampling', () => {
  const estimate = (codedWidth: number, codedHeight: number, pixelFormat: string, bitDepth: number) =>
    encodeMemoryBytes({ video: { codedWidth, codedHeight, pixelFormat, bitDepth } } as SourceInfo, []) /
    2 ** 30
  expect(estimate(1920, 1080, 'yuv420p', 8)).toBeLessThan(0.25)
  expect(estimate(8192, 8192, 'yuv444p10le', 10)).toBeGreaterThan(5.6)
})
