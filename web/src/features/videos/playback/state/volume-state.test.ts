import { describe, expect, it } from 'vitest'
import { volumeAfterStep, volumeAt, type VolumeState } from './volume-state.ts'

const loud = (volume: number): VolumeState => ({ volume, isMuted: false })
const muted = (volume: number): VolumeState => ({ volume, isMuted: true })

describe('volume state', () => {
  it('changes by steps and stays between 0 and 1', () => {
    expect(volumeAfterStep(loud(0.4), 0.05)).toEqual(loud(0.45))
    expect(volumeAfterStep(loud(0.15), -0.05)).toEqual(loud(0.1))
    expect(volumeAfterStep(loud(0.98), 0.05)).toEqual(loud(1))
    expect(volumeAt(7, 0.4)).toEqual(loud(1))
  })

  it('continues from the last audible volume when raised from muted', () => {
    expect(volumeAfterStep(muted(0.6), 0.05)).toEqual(loud(0.65))
    expect(volumeAfterStep(muted(1), 0.05)).toEqual(loud(1))
  })

  it('stays muted and keeps its volume when lowered', () => {
    expect(volumeAfterStep(muted(0.6), -0.05)).toEqual(muted(0.6))
  })

  it('is muted when lowered to 0 and restores the last audible volume', () => {
    let now = loud(1)
    for (let press = 0; press < 25; press += 1) now = volumeAfterStep(now, -0.05)
    expect(now).toEqual(muted(0.05))
    expect(volumeAfterStep(now, 0.05)).toEqual(loud(0.1))
  })

  it('restores the volume before a drag of the slider to 0', () => {
    expect(volumeAt(0, 0.8)).toEqual(muted(0.8))
    expect(volumeAt(-3, 0.8)).toEqual(muted(0.8))
  })
})
