import { expect, it } from 'vitest'
import { swipeOf, tapOf } from './touch-gestures.ts'

it('tapOf returns the tapped third', () => {
  expect([0.1, 0.5, 0.9].map(tapOf)).toEqual(['left', 'middle', 'right'])
})

it('swipeOf distinguishes taps, horizontal swipes and swipes down', () => {
  expect(swipeOf(3, -4, 400, 600)).toEqual({ type: 'tap' })
  expect(swipeOf(200, 20, 400, 600)).toEqual({ type: 'seek', seconds: 60 })
  expect(swipeOf(-200, 20, 400, 40)).toEqual({ type: 'seek', seconds: -20 })
  expect(swipeOf(5, -120, 400, 600)).toEqual({ type: 'tap' })
  expect(swipeOf(5, 120, 400, 600)).toEqual({ type: 'down' })
  expect(swipeOf(5, 30, 400, 600)).toEqual({ type: 'tap' })
})
