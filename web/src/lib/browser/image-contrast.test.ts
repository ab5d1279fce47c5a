import { expect, it } from 'vitest'
import { contrastOf } from './image-contrast.ts'

const pixels = (...greys: number[]) => greys.flatMap((grey) => [grey, grey, grey, 255])

it('distinguishes a scene from a uniform background', () => {
  expect(contrastOf([])).toBe(0)
  expect(contrastOf(pixels(0, 0, 0, 0))).toBe(0)
  expect(contrastOf(pixels(255, 255))).toBe(0)
  expect(contrastOf(pixels(0, 255))).toBeCloseTo(127.5)
  expect(contrastOf(pixels(10, 20, 10, 20))).toBeCloseTo(5)
})

it('measures luminance, not hue', () => {
  const green = [0, 100, 0, 255]
  const asLightRed = [Math.round((100 * 0.7152) / 0.2126), 0, 0, 255]
  expect(contrastOf([...green, ...asLightRed])).toBeLessThan(1)
})
