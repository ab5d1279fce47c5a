import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamEnded } from '../refusals.ts'
import { audioConfig, videoConfig } from '../testing/flv.ts'
import { parseAudioConfig, parseVideoConfig } from './configs.ts'

test('reads the configurations of x264 and AAC', () => {
  expect(parseVideoConfig(videoConfig.subarray(5))).toMatchObject({
    codecString: 'avc1.64000d',
    width: 320,
    height: 240,
  })
  expect(parseAudioConfig(audioConfig.subarray(2))).toMatchObject({
    codecString: 'mp4a.40.2',
    sampleRate: 48_000,
    channels: 2,
  })
})

test.each([
  ['video', videoConfig.subarray(5), parseVideoConfig],
  ['audio', audioConfig.subarray(2), parseAudioConfig],
])('ends with a configuration or a refusal for mutated %s', (_, good, parse) => {
  fc.assert(
    fc.property(fc.nat(good.length), fc.nat(255), fc.nat(good.length), (at, value, length) => {
      const bytes = Buffer.from(good.subarray(0, length))
      if (at < bytes.length) bytes[at] = value
      expect(isParsedOrRefused(() => parse(bytes))).toBe(true)
    }),
  )
})

function isParsedOrRefused(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch (error) {
    return error instanceof StreamEnded
  }
}
