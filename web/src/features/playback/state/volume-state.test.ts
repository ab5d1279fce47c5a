import { describe, expect, it } from 'vitest'
import { loudnessAfterStep, loudnessAt, type Loudness } from './volume-state.ts'

const loud = (volume: number): Loudness => ({ volume, isMuted: false })
const muted = (volume: number): Loudness => ({ volume, isMuted: true })

describe('loudness', () => {
  it('goes up and down by steps, and no further than its ends', () => {
    expect(loudnessAfterStep(loud(0.4), 0.05)).toEqual(loud(0.45))
    expect(loudnessAfterStep(loud(0.15), -0.05)).toEqual(loud(0.1))
    expect(loudnessAfterStep(loud(0.98), 0.05)).toEqual(loud(1))
    expect(loudnessAt(7, 0.4)).toEqual(loud(1))
  })

  it('louder out of silence goes on from the volume that was heard last', () => {
    expect(loudnessAfterStep(muted(0.6), 0.05)).toEqual(loud(0.65))
    expect(loudnessAfterStep(muted(1), 0.05)).toEqual(loud(1))
  })

  it('quieter than silence is silence, and forgets nothing', () => {
    expect(loudnessAfterStep(muted(0.6), -0.05)).toEqual(muted(0.6))
  })

  it('step by step down to nothing it is muted, and returns to the last that was heard', () => {
    let now = loud(1)
    for (let press = 0; press < 25; press += 1) now = loudnessAfterStep(now, -0.05)
    expect(now).toEqual(muted(0.05))
    expect(loudnessAfterStep(now, 0.05)).toEqual(loud(0.1))
  })

  it('a slider drawn to nothing returns to where it was taken up', () => {
    expect(loudnessAt(0, 0.8)).toEqual(muted(0.8))
    expect(loudnessAt(-3, 0.8)).toEqual(muted(0.8))
  })
})
