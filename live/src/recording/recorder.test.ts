import fc from 'fast-check'
import { findBox, FragmentReader, readTimescale } from '@kinora/media/containers/mp4/fmp4.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { expect, test } from 'vitest'
import { StreamEnded } from '../refusals.ts'
import type { MediaMessage } from '../rtmp/connection.ts'
import {
  audioFrame,
  configs,
  frames,
  opusConfig,
  opusFrame,
  videoConfig,
  videoFrame,
} from '../testing/flv.ts'
import { type Beginning, type Chunk, type Part, Recorder, type RecorderOptions } from './recorder.ts'

async function record(messages: Iterable<MediaMessage>, options: Partial<RecorderOptions> = {}) {
  const parts: Part[] = []
  const begun: Beginning[] = []
  let at = 0
  const recorder = new Recorder({
    maxBitsPerSecond: 1e9,
    onBegin: async (beginning) => void begun.push(beginning),
    onPart: async (part) => void parts.push(part),
    now: () => (at += 1),
    ...options,
  })
  for (const message of messages) await recorder.receive(message)
  await recorder.finish()
  return { parts, begun, health: recorder.health }
}

const times = (parts: Part[]) => parts.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])

test('writes a part for each group of pictures', async () => {
  const { parts, begun, health } = await record([...configs(), ...frames(6)])
  expect(times(parts)).toEqual([
    [0, 2],
    [2, 4],
    [4, 6],
  ])
  expect(begun).toHaveLength(1)
  expect(findBox(begun[0]?.init ?? Buffer.alloc(0), 'moov/mvex')).toBeDefined()
  expect(parts.every(({ audio }) => audio !== undefined)).toBe(true)
  expect(health).toMatchObject({ keyframeSeconds: 2, width: 320, height: 240, droppedFrames: 0 })
})

/** The frames of fragments, in the order in which they are decoded. */
function framesOf(init: Buffer, fragments: (Buffer | undefined)[]) {
  const found: { pts: number; bytes: string }[] = []
  const reader = new FragmentReader(({ samples }) => {
    for (const { pts, data } of samples) found.push({ pts, bytes: Buffer.from(data).toString('hex') })
  })
  for (const bytes of [init, ...fragments]) if (bytes) reader.push(bytes)
  return found
}

/** The decode time of the first frame of a fragment, in ticks. */
function firstDecodeTime(fragment: Buffer): number {
  const tfdt = findBox(fragment, 'moof/traf/tfdt')
  return Number(fragment.readBigUInt64BE((tfdt?.content ?? 0) + 4))
}

/** A stream in whose groups of 50 frames two B-frames are shown before each other frame. */
function* reordered(seconds: number): Generator<MediaMessage> {
  for (const message of frames(seconds)) {
    if (message.kind === 'audio') yield message
    else {
      const frame = (message.timestamp / 40) % 50
      const isFirstOrLast = frame === 0 || frame === 49
      const step = isFirstOrLast ? 0 : frame % 3 === 1 ? 2 : -1
      yield videoFrame(message.timestamp, frame === 0, (2 + step) * 40)
    }
  }
}

test.each([
  ['in order', frames],
  ['with B-frames', reordered],
])('splits parts into chunks that have the same frames at the same times, %s', async (_, stream) => {
  const chunks: Chunk[] = []
  const onChunk = async (chunk: Chunk) => void chunks.push(chunk)
  const { parts, begun } = await record([...configs(), ...stream(6)], { onChunk })
  const init = begun[0]?.init ?? Buffer.alloc(0)
  // the first part says what the frames are
  expect(chunks[0]).toMatchObject({ part: 1, chunk: 0, startSeconds: parts[1]?.startSeconds })
  for (const part of parts.slice(1)) {
    const own = chunks.filter((chunk) => chunk.part === part.index)
    expect(own.map(({ chunk }) => chunk)).toEqual([0, 1, 2, 3])
    const [starts, ends] = [
      own.map(({ startSeconds }) => startSeconds),
      own.map(({ endSeconds }) => endSeconds),
    ]
    expect([...starts, part.endSeconds]).toEqual([part.startSeconds, ...ends])
    expect(Math.max(...own.map(({ startSeconds }, i) => (ends[i] ?? 0) - startSeconds))).toBeLessThan(0.65)
    expect(own.map(({ video }) => firstDecodeTime(video))).toEqual(
      starts.map((seconds) => Math.round(seconds * readTimescale(init))),
    )
    for (const track of ['video', 'audio'] as const)
      expect(
        framesOf(
          init,
          own.map((chunk) => chunk[track]),
        ),
      ).toEqual(framesOf(init, [part[track]]))
  }
})

test.each([
  ['in order', frames],
  ['with B-frames', reordered],
])('ends no chunk before a pause of the picture, %s', async (_, stream) => {
  const chunks: Chunk[] = []
  const isPaused = ({ kind, timestamp }: MediaMessage) =>
    kind === 'video' && ((timestamp > 2500 && timestamp < 3100) || (timestamp > 5050 && timestamp < 5350))
  const messages = [...configs(), ...stream(8)].filter((each) => !isPaused(each))
  const { parts, begun } = await record(messages, { onChunk: async (chunk) => void chunks.push(chunk) })
  const timescale = readTimescale(begun[0]?.init ?? Buffer.alloc(0))
  expect(chunks.at(-1)?.part).toBe(3)
  for (const part of parts.slice(1)) {
    const own = chunks.filter((chunk) => chunk.part === part.index)
    expect(own.at(-1)?.endSeconds).toBe(part.endSeconds)
    // players drop frames behind a hole of more than one frame, up to the next keyframe
    for (const { video, startSeconds } of own)
      expect(firstDecodeTime(video) / timescale - startSeconds).toBeLessThan(0.045)
  }
})

test('writes no more chunks of a part whose frames come in another order', async () => {
  const chunks: Chunk[] = []
  const messages = [...configs(), ...frames(6)].map((each) =>
    each.kind === 'video' && each.timestamp === 2840 ? videoFrame(2840, false, -540) : each,
  )
  const { parts } = await record(messages, { onChunk: async (chunk) => void chunks.push(chunk) })
  expect(parts).toHaveLength(3)
  expect(chunks.map(({ part }) => part)).toEqual([1, 2, 2, 2, 2])
})

test('joins groups of pictures that are short', async () => {
  const { parts } = await record([...configs(), ...frames(4, { keyEvery: 5 })])
  expect(times(parts).slice(0, 2)).toEqual([
    [0, 1],
    [1, 2],
  ])
})

test('fills missing sound with silence', async () => {
  const late = [...frames(8)].filter(({ kind, timestamp }) => kind === 'video' || timestamp > 3000)
  const stops = [...frames(8)].filter(({ kind, timestamp }) => kind === 'video' || timestamp < 3000)
  for (const messages of [late, stops]) {
    const { parts } = await record([...configs(), ...messages])
    const sounding = parts.filter(({ audio }) => audio !== undefined)
    const gaps = sounding
      .slice(1)
      .map((part, i) => part.audioStartSeconds - (sounding[i]?.audioEndSeconds ?? 0))
    expect(gaps.every((gap) => Math.abs(gap) < 0.001)).toBe(true)
    expect(parts.at(-1)?.audioEndSeconds).toBeGreaterThan(5.9)
  }
})

test('fills no silence ahead of the picture, whose sound waits for it', async () => {
  // the clock of the sound jumps by 7 s, less than a jump of both clocks that is corrected
  const ahead = [...frames(20)].map((each) =>
    each.kind === 'audio' && each.timestamp > 3000 ? { ...each, timestamp: each.timestamp + 7000 } : each,
  )
  const { parts } = await record([...configs(), ...ahead])
  expect(parts.at(-1)?.endSeconds).toBe(20)
  for (const part of parts) expect(part.audioEndSeconds).toBeLessThan(part.endSeconds + 0.3)
  expect(parts.map(({ audioStartSeconds }) => audioStartSeconds).slice(1)).toEqual(
    parts.map(({ audioEndSeconds }) => audioEndSeconds).slice(0, -1),
  )
  // it is heard again once the picture is there
  const counts = parts.map(({ audio }) => audio?.length ?? 0)
  expect(Math.abs((counts.at(-1) ?? 0) - (counts[0] ?? 0))).toBeLessThan(100)
})

/** Pictures of 25 frames a second, and Opus. */
function* framesWithOpus(seconds: number): Generator<MediaMessage> {
  yield { kind: 'video', timestamp: 0, body: videoConfig }
  yield { kind: 'audio', timestamp: 0, body: opusConfig }
  for (let at = 0; at < seconds * 1000; at += 20) {
    yield opusFrame(at)
    if (at % 40 === 0) yield videoFrame(at, at % 2000 === 0)
  }
}

test('records Opus', async () => {
  const { parts, begun } = await record(framesWithOpus(6), { takesOpus: true })
  expect(times(parts)).toEqual([
    [0, 2],
    [2, 4],
    [4, 6],
  ])
  // version, channels, samples to skip, and the rate of the track
  expect(begun[0]?.init.toString('latin1')).toContain('dOps\0\u0002\u0001\u0038\0\0\u00bb\u0080')
  expect(parts[1]?.audioEndSeconds).toBeCloseTo(4, 1)
  const long = { kind: 'audio' as const, timestamp: 60, body: Buffer.from('914f707573fd0000', 'hex') }
  const refusal = { reason: 'unsupported_audio' }
  await expect(record([...framesWithOpus(1), long], { takesOpus: true })).rejects.toMatchObject(refusal)
  await expect(record(framesWithOpus(1))).rejects.toMatchObject(refusal)
})

test('ends a part where its sender says that the next one begins', async () => {
  const parts: Part[] = []
  const recorder = new Recorder({
    maxBitsPerSecond: 1e9,
    onBegin: async () => undefined,
    onPart: async (part) => void parts.push(part),
  })
  for (const message of [...configs(), ...frames(2)]) await recorder.receive(message)
  await recorder.endPart(2000)
  expect(times(parts)).toEqual([[0, 2]])
  // too short to be one, or too long to be true
  for (const message of frames(0.4, { from: 2000 })) await recorder.receive(message)
  await recorder.endPart(2400)
  await recorder.endPart(60_000)
  expect(parts).toHaveLength(1)
  await recorder.finish()
  expect(parts).toHaveLength(2)
})

test('waits for sound, although its sender says that a part ends', async () => {
  const parts: Part[] = []
  const recorder = new Recorder({
    maxBitsPerSecond: 1e9,
    onBegin: async () => undefined,
    onPart: async (part) => void parts.push(part),
  })
  const [video, audio] = configs()
  const all = [...frames(4)]
  const messages = [
    ...(video ? [video] : []),
    ...all.filter(({ kind, timestamp }) => kind === 'video' && timestamp < 2000),
  ]
  for (const message of messages) await recorder.receive(message)
  await recorder.endPart(2000)
  expect(parts).toEqual([])
  const later = [
    ...(audio ? [{ ...audio, timestamp: 2000 }] : []),
    ...all.filter(({ timestamp }) => timestamp >= 2000),
  ]
  for (const message of later) await recorder.receive(message)
  await recorder.endPart(4000)
  expect(parts.at(-1)?.audio).toBeDefined()
})

test('takes what was sent late at the rate of the stream', async () => {
  const messages = [...configs(), ...frames(40)]
  const limit = { maxBitsPerSecond: 40_000 }
  await expect(record(messages, { ...limit, now: () => 0 })).rejects.toMatchObject({ reason: 'bitrate' })
  const { health } = await record(messages, { ...limit, now: () => 0, isBuffered: true })
  expect(health.bitsPerSecond).toBeLessThan(30_000)
})

test('records without sound', async () => {
  const [video] = configs()
  const { parts } = await record([...(video ? [video] : []), ...frames(10, { hasAudio: false })])
  expect(parts.every(({ audio }) => audio === undefined)).toBe(true)
  expect(parts.at(-1)?.endSeconds).toBe(10)
})

test('continues a recording after a connection was lost', async () => {
  const first: Beginning[] = []
  await record([...configs(), ...frames(4)], { onBegin: async (beginning) => void first.push(beginning) })
  const continues = { format: first[0]?.format ?? '', index: 2, endSeconds: 4.02 }
  const { parts, begun } = await record([...configs(99), ...frames(4, { from: 99 })], { continues })
  expect(begun).toEqual([])
  expect(parts.map(({ index, isResumed }) => [index, isResumed])).toEqual([
    [2, true],
    [3, false],
  ])
  expect(parts[0]?.startSeconds).toBeCloseTo(4.02)
  await expect(
    record([...configs(), ...frames(4)], { continues: { ...continues, format: 'other' } }),
  ).rejects.toThrow(StreamEnded)
})

test.each<[string, MediaMessage[], string]>([
  [
    'another codec',
    [{ kind: 'video', timestamp: 0, body: Buffer.from('1c0000000001', 'hex') }],
    'unsupported_video',
  ],
  [
    'enhanced RTMP',
    [{ kind: 'video', timestamp: 0, body: Buffer.from('9068766331', 'hex') }],
    'unsupported_video',
  ],
  ['MP3', [{ kind: 'audio', timestamp: 0, body: Buffer.from('2f00', 'hex') }], 'unsupported_audio'],
  [
    'another size',
    [
      ...configs(),
      ...frames(3),
      { kind: 'video', timestamp: 0, body: Buffer.concat([videoConfig, Buffer.from([1])]) },
    ],
    'format_changed',
  ],
  ['keyframes that are too far apart', [...configs(), ...frames(25, { keyEvery: 275 })], 'keyframes'],
  ['no keyframes', [...configs(), ...frames(20, { keyEvery: 5000 })], 'keyframes'],
])('refuses %s', async (_, messages, reason) => {
  await expect(record(messages)).rejects.toMatchObject({ reason })
})

test('refuses a bitrate above the limit', async () => {
  await expect(record([...configs(), ...frames(4)], { maxBitsPerSecond: 1000 })).rejects.toMatchObject({
    reason: 'bitrate',
  })
})

test('ends a stream whose picture stops while its sound goes on', async () => {
  const frozen = [...frames(40)].filter(({ kind, timestamp }) => kind === 'audio' || timestamp < 3000)
  await expect(record([...configs(), ...frozen])).rejects.toMatchObject({ reason: 'timeout' })
  const jumps = Array.from({ length: 100 }, (_, i) => audioFrame(3000 + i * 9900))
  await expect(record([...configs(), ...frames(3), ...jumps])).rejects.toMatchObject({ reason: 'timeout' })
})

test('counts tiny messages, and the bytes of sound', async () => {
  const tiny = Array.from({ length: 20_000 }, () => audioFrame(2000))
  await expect(
    record([...configs(), ...frames(3), ...tiny], { maxBitsPerSecond: 70_000 }),
  ).rejects.toMatchObject({ reason: 'bitrate' })
  const large = Array.from({ length: 40 }, (_, i) => ({
    ...audioFrame(3000 + i * 21),
    body: Buffer.concat([audioFrame(0).body, Buffer.alloc(1024 ** 2)]),
  }))
  await expect(record([...configs(), ...frames(3), ...large])).rejects.toMatchObject({ reason: 'keyframes' })
})

test('does not store a part again that failed', async () => {
  const stored: number[] = []
  const recorder = new Recorder({
    maxBitsPerSecond: 1e9,
    onBegin: async () => undefined,
    onPart: async ({ index }) => {
      stored.push(index)
      if (index === 1) throw new Error('unclear')
    },
  })
  const messages = async () => {
    for (const message of [...configs(), ...frames(6)]) await recorder.receive(message)
  }
  await expect(messages()).rejects.toThrow('unclear')
  await recorder.finish()
  expect(stored).toEqual([0, 1])
})

test('records keyframes that are ten seconds apart', async () => {
  const { parts, health } = await record([...configs(), ...frames(30, { keyEvery: 250 })])
  expect(times(parts)).toEqual([
    [0, 10],
    [10, 20],
    [20, 30],
  ])
  expect(health.keyframeSeconds).toBe(10)
})

test('continues over clocks that wrap and jump, with the sound beside the picture', async () => {
  const wrap = 2 ** 32 - 3000
  const wrapped = await record([...configs(wrap), ...frames(6, { from: wrap })])
  const jumps = [...frames(8)].map((each) =>
    each.timestamp < 4000 ? each : { ...each, timestamp: each.timestamp + 3_600_000 },
  )
  const jumped = await record([...configs(), ...jumps])
  expect(times(wrapped.parts)).toEqual([
    [0, 2],
    [2, 4],
    [4, 6],
  ])
  expect(jumped.parts).toHaveLength(4)
  expect(jumped.parts.at(-1)?.endSeconds).toBeCloseTo(8, 1)
  for (const { endSeconds, audioEndSeconds } of [...wrapped.parts, ...jumped.parts])
    expect(Math.abs(endSeconds - audioEndSeconds)).toBeLessThan(0.2)
})

test('takes the large frames of 4K, and ends what is larger than memory allows', async () => {
  const ofSize = (bytes: number) =>
    [...frames(3)].map((each) =>
      each.kind === 'video' ? { ...each, body: Buffer.concat([each.body, Buffer.alloc(bytes)]) } : each,
    )
  const { parts } = await record([...configs(), ...ofSize(250_000)])
  expect(parts[0]?.video.length).toBeGreaterThan(50 * 250_000)
  await expect(record([...configs(), ...ofSize(1_000_000)])).rejects.toMatchObject({ reason: 'keyframes' })
})

test('measures how late frames of a slow line arrive', async () => {
  const messages = [...configs(), ...frames(4)]
  let received = 0
  // each message takes half as long again as it plays
  const { health, parts } = await record(messages, {
    now: () => ((received += 1) / messages.length) * 6000,
  })
  expect(parts).toHaveLength(2)
  expect(health.lateMs).toBeGreaterThan(1500)
  expect(health.lateMs).toBeLessThan(8000)
})

test('drops frames before the first keyframe, and leading ones', async () => {
  const messages = [
    ...configs(),
    videoFrame(0, false),
    audioFrame(0),
    videoFrame(40, true),
    videoFrame(80, false),
    ...[...frames(3, { from: 2040 })].flatMap((each, i) =>
      i === 2 ? [each, videoFrame(2080, false, -100)] : [each],
    ),
  ]
  const { health, parts } = await record(messages)
  expect(health.droppedFrames).toBe(2)
  expect(parts[0]?.startSeconds).toBeCloseTo(0.04)
})

for (const numRuns of [60, 5000])
  test(
    `ends with parts in order or a refusal for mutated streams (${numRuns} cases)`,
    nightlyUnless(numRuns === 60),
    async () => {
      const good = [...configs(), ...frames(5, { keyEvery: 30 })]
      const mutation = fc.record({
        at: fc.nat(good.length - 1),
        kind: fc.constantFrom('drop', 'repeat', 'byte', 'time', 'cut'),
        value: fc.nat(0xff_ff_ff_ff),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { maxLength: 8 }), async (mutations) => {
          const messages = [...good]
          for (const { at, kind, value } of mutations) {
            const each = messages[at % messages.length]
            if (!each) continue
            const body = Buffer.from(each.body)
            if (kind === 'byte' && body.length > 0) body[value % body.length] = value & 0xff
            const changed = {
              ...each,
              timestamp: kind === 'time' ? value : each.timestamp,
              body: kind === 'cut' ? body.subarray(0, value % (body.length + 1)) : body,
            }
            messages.splice(
              at % messages.length,
              1,
              ...(kind === 'drop' ? [] : kind === 'repeat' ? [each, each] : [changed]),
            )
          }
          const parts: Part[] = []
          try {
            await record(messages, { onPart: async (part) => void parts.push(part) })
          } catch (error) {
            if (!(error instanceof StreamEnded)) throw error
          }
          parts.forEach(({ index, startSeconds, endSeconds }, i) => {
            expect(index).toBe(i)
            expect(endSeconds).toBeGreaterThan(startSeconds)
            expect(startSeconds).toBeGreaterThanOrEqual(parts[i - 1]?.startSeconds ?? 0)
          })
        }),
        { numRuns },
      )
    },
  )
