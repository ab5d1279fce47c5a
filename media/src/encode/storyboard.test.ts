import { expect, test } from 'vitest'
import type { VideoInfo } from '../source/source-info.ts'
import { planStoryboard, splitJpegs, toStoryboardVtt } from './storyboard.ts'

const video = (displayWidth: number, displayHeight: number) => ({ displayWidth, displayHeight }) as VideoInfo

test('plans a thumbnail every two seconds of a short video and at most 200 of a long one', () => {
  expect(planStoryboard(video(1920, 1080), 61)).toMatchObject({
    intervalSeconds: 2,
    count: 31,
    width: 256,
    height: 144,
    sheetCount: 2,
  })
  expect(planStoryboard(video(1080, 1920), 7200)).toMatchObject({ count: 200, width: 144, height: 256 })
})

test('addresses every thumbnail on its sheet', () => {
  const vtt = toStoryboardVtt(planStoryboard(video(1920, 1080), 61), 61, (sheet) => `${sheet}.jpg`)
  expect(vtt.startsWith('WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n0.jpg#xywh=0,0,256,144\n')).toBe(true)
  expect(vtt).toContain('00:00:14.000 --> 00:00:16.000\n0.jpg#xywh=512,144,256,144\n')
  expect(vtt).toContain('00:01:00.000 --> 00:01:01.000\n1.jpg#xywh=0,144,256,144\n')
})

test('splits concatenated JPEG files', () => {
  const jpeg = (text: string) =>
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from(text), Buffer.from([0xff, 0xd9])])
  expect(splitJpegs(Buffer.concat([jpeg('one'), jpeg('two')]))).toEqual([jpeg('one'), jpeg('two')])
})
