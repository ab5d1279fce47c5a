import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamEnded } from '../refusals.ts'
import { audioConfig, opusConfig, videoConfig } from '../testing/flv.ts'
import { opusSamples, parseAudioConfig, parseVideoConfig } from './configs.ts'

test('reads the configurations of x264 and AAC', () => {
  expect(parseVideoConfig(videoConfig.subarray(5))).toMatchObject({
    codecString: 'avc1.64000d',
    width: 320,
    height: 240,
  })
  expect(parseAudioConfig('aac', audioConfig.subarray(2))).toMatchObject({
    codecString: 'mp4a.40.2',
    sampleRate: 48_000,
    channels: 2,
  })
})

test('reads the configuration of Opus, and the length of its packets', () => {
  expect(parseAudioConfig('opus', opusConfig.subarray(5))).toMatchObject({ sampleRate: 48_000, channels: 2 })
  // as in table 2 of RFC 6716: SILK of 60 ms, hybrid of 10 ms, CELT of 20 ms, two frames of 2.5 ms
  const packets = [[11 << 3], [12 << 3], [31 << 3], [(28 << 3) | 1], [(31 << 3) | 3, 2]]
  expect(packets.map((bytes) => opusSamples(Buffer.from(bytes)))).toEqual([2880, 480, 960, 240, 1920])
})

test.each([
  ['video', videoConfig.subarray(5), parseVideoConfig],
  ['AAC', audioConfig.subarray(2), (data: Buffer) => parseAudioConfig('aac', data)],
  ['Opus', opusConfig.subarray(5), (data: Buffer) => parseAudioConfig('opus', data)],
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
