import { expect, test } from 'vitest'
import {
  cameraRect,
  contain,
  cover,
  moveCamera,
  pictureSize,
  resizeCamera,
  usualPlace,
} from './picture-layout.ts'

test.each([
  [
    { width: 3840, height: 2160 },
    { width: 1920, height: 1080 },
  ],
  [
    { width: 1281, height: 721 },
    { width: 1282, height: 722 },
  ],
  [
    { width: 1080, height: 2400 },
    { width: 864, height: 1920 },
  ],
  [
    { width: 640, height: 480 },
    { width: 640, height: 480 },
  ],
])('records %o as %o', (source, recorded) => {
  expect(pictureSize(source)).toEqual(recorded)
})

test('a window that was made narrower stands in the middle', () => {
  expect(contain({ width: 540, height: 1080 }, { width: 1920, height: 1080 })).toEqual({
    x: 690,
    y: 0,
    width: 540,
    height: 1080,
  })
})

test('a wide camera is cut on both sides', () => {
  expect(cover({ width: 1600, height: 900 }, { width: 400, height: 300 })).toEqual({
    x: 200,
    y: 0,
    width: 1200,
    height: 900,
  })
})

const picture = { width: 1000, height: 500 }

test('the camera begins at the lower right, and stays within the picture', () => {
  const first = cameraRect(usualPlace, picture)
  expect(first.x + first.width).toBeCloseTo(985)
  expect(first.y + first.height).toBeCloseTo(485)
  const moved = moveCamera(usualPlace, { x: -5, y: -0.1 }, picture)
  expect(cameraRect(moved, picture)).toMatchObject({ x: 15, y: expect.closeTo(first.y - 50) })
})

test('the camera has a smallest and a largest size', () => {
  expect(resizeCamera(usualPlace, 100).scale).toBe(0.5)
  expect(resizeCamera(usualPlace, 0).scale).toBe(0.12)
})

test('the camera fits into a picture that is very wide', () => {
  const { y, height } = cameraRect({ x: 0, y: 1, scale: 0.5 }, { width: 1920, height: 400 })
  expect(y).toBeGreaterThan(-1)
  expect(height).toBeLessThan(400)
})
