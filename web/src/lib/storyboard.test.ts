import { describe, expect, it } from 'vitest'
import { frameAt, parseStoryboard, spreadFrames } from './storyboard.ts'

const vtt = `WEBVTT

00:00.000 --> 00:05.000
sheet-0.webp#xywh=0,0,160,90

2
00:05.000 --> 01:00:10.500 align:start
/elsewhere/sheet-1.webp#xywh=pixel:160,90,160,90

01:00:10.500 --> 01:00:20.000
No picture here

NOTE nothing
`

describe('parseStoryboard', () => {
  const frames = parseStoryboard(vtt.replaceAll('\n', '\r\n'), 'https://k.example/media/v1/storyboard.vtt')

  it('parses rectangles and times, and resolves sheets against the file', () => {
    expect(frames).toEqual([
      {
        startSeconds: 0,
        endSeconds: 5,
        sheetUrl: 'https://k.example/media/v1/sheet-0.webp',
        x: 0,
        y: 0,
        width: 160,
        height: 90,
      },
      {
        startSeconds: 5,
        endSeconds: 3610.5,
        sheetUrl: 'https://k.example/elsewhere/sheet-1.webp',
        x: 160,
        y: 90,
        width: 160,
        height: 90,
      },
    ])
  })

  it('returns no frames for other content', () => {
    expect(parseStoryboard('<!doctype html>', 'https://k.example/')).toEqual([])
  })
})

const frame = (startSeconds: number) => ({
  startSeconds,
  endSeconds: startSeconds + 1,
  sheetUrl: '',
  x: 0,
  y: 0,
  width: 1,
  height: 1,
})

describe('frameAt', () => {
  it('returns the last frame that has begun', () => {
    const frames = [frame(0), frame(5), frame(10)]
    expect(frameAt(frames, 4.9)?.startSeconds).toBe(0)
    expect(frameAt(frames, 5)?.startSeconds).toBe(5)
    expect(frameAt(frames, 7)?.startSeconds).toBe(5)
    expect(frameAt(frames, 99)?.startSeconds).toBe(10)
    expect(frameAt([frame(2)], 0)?.startSeconds).toBe(2)
    expect(frameAt([], 0)).toBeUndefined()
  })
})

describe('spreadFrames', () => {
  it('returns the middle frame of each part', () => {
    const frames = Array.from({ length: 12 }, (_, index) => frame(index))
    expect(spreadFrames(frames, 6).map(({ startSeconds }) => startSeconds)).toEqual([1, 3, 5, 7, 9, 11])
  })

  it('returns all frames if there are fewer', () => {
    expect(spreadFrames([frame(0), frame(1)], 6)).toHaveLength(2)
    expect(spreadFrames([], 6)).toEqual([])
  })
})
