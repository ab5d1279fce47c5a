import { expect, test } from 'vitest'
import { isLiveRendition } from './hls-errors.ts'

test('distinguishes renditions of live streams, which are encoded, from the original and the sound', () => {
  const site = 'https://video.example.org/media'
  expect(isLiveRendition(`${site}/live/a1/144/12.m4s`)).toBe(true)
  expect(isLiveRendition(`${site}/live/a1/144/init.mp4`)).toBe(true)
  expect(isLiveRendition(`${site}/live/a1/source/12.m4s`)).toBe(false)
  expect(isLiveRendition(`${site}/live/a1/audio-0/12.m4s`)).toBe(false)
  expect(isLiveRendition(`${site}/videos/a1/144/12.m4s`)).toBe(false)
})
