import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planPresentation } from '../plan/hls.ts'
import { probe } from '../probe/probe.ts'
import { decodeSpeechAudio, MAX_DECODED_SECONDS } from './decode-audio.ts'
import { SPEECH_SAMPLE_RATE } from './speech.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-speech-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Makes a video with these audio sources, and returns what decodes a range of one of them. */
async function openVideo(name: string, audio: string[], codecs: string) {
  const file = path.join(directory, name)
  const inputs = [`-f lavfi -i color=s=160x120:r=10:d=8`, ...audio.map((source) => `-f lavfi -i ${source}`)]
  const maps = ['-map 0', ...audio.map((_, index) => `-map ${index + 1}`)]
  const args = `-v error -y ${inputs.join(' ')} ${maps.join(' ')} ${codecs}`
  await promisify(execFile)('ffmpeg', [...args.split(' '), file])
  const source = await probe(tools, file)
  const { timeline } = planPresentation(source)
  return (audioTrack: number, fromSeconds: number, toSeconds: number, signal?: AbortSignal) =>
    decodeSpeechAudio({ tools, source, timeline, path: file }, { audioTrack, fromSeconds, toSeconds }, signal)
}

/** One second of tone, from second 5. */
const beep = `aevalsrc=between(t\\,5\\,6)*sin(2*PI*440*t)*0.5:s=48000:d=8`
const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
const vp8 = '-c:v libvpx -deadline realtime -cpu-used 8'

/** Times in seconds between which a range is louder than silence. */
function heard(pcm: Int16Array): [number, number] {
  const loud = (sample: number) => Math.abs(sample) > 2000
  return [pcm.findIndex(loud) / SPEECH_SAMPLE_RATE, pcm.findLastIndex(loud) / SPEECH_SAMPLE_RATE]
}

test.each([
  ['aac.mp4', `${h264} -c:a aac`],
  ['opus.webm', `${vp8} -c:a libopus -f webm`],
  ['late.mp4', `${h264} -c:a aac -output_ts_offset 7`],
  ['vorbis.ogg', '-c:v libtheora -c:a libvorbis -f ogg'],
  ['telephone.webm', `${vp8} -c:a flac -ar 8000 -f matroska`],
  ['gap.webm', `${vp8} -c:a flac -af aselect=not(between(t\\,1\\,3)) -f matroska`],
])('decodes any range to as many samples as it is long, in sync: %s', async (name, codecs) => {
  const decode = await openVideo(name, [beep], codecs)
  const whole = await decode(0, 0, 8)
  expect(whole).toHaveLength(8 * SPEECH_SAMPLE_RATE)
  const [from, to] = heard(whole)
  expect(from).toBeCloseTo(5, 1)
  expect(to).toBeCloseTo(6, 1)
  const part = await decode(0, 4.5, 6.25)
  expect(part).toHaveLength(1.75 * SPEECH_SAMPLE_RATE)
  expect(heard(part)[0]).toBeCloseTo(0.5, 1)
  expect(heard(part)[1]).toBeCloseTo(1.5, 1)
})

test('decodes the chosen one of sixteen tracks, and mixes its channels', async () => {
  const silence = 'anullsrc=r=48000:cl=stereo:d=8'
  const left = beep.replace('aevalsrc=', 'aevalsrc=0|')
  const tracks = Array.from({ length: 16 }, (_, index) => (index === 11 ? left : silence))
  const decode = await openVideo('sixteen.mp4', tracks, `${h264} -c:a aac`)
  expect(heard(await decode(11, 0, 8))[0]).toBeCloseTo(5, 1)
  expect((await decode(3, 0, 8)).some((sample) => Math.abs(sample) > 10)).toBe(false)
})

test('returns silence after the end of the audio, and nothing for an empty range', async () => {
  const decode = await openVideo('short.mp4', ['sine=f=440:d=2'], `${h264} -c:a aac`)
  const pcm = await decode(0, 4, 8)
  expect(pcm).toHaveLength(4 * SPEECH_SAMPLE_RATE)
  expect(pcm.every((sample) => sample === 0)).toBe(true)
  expect(await decode(0, 3, 3)).toHaveLength(0)
})

test('rejects more than half an hour, and an aborted call with its reason', async () => {
  const decode = await openVideo('limits.mp4', [beep], `${h264} -c:a aac`)
  await expect(decode(0, 0, MAX_DECODED_SECONDS + 1)).rejects.toThrow(RangeError)
  const reason = new Error('not needed any more')
  await expect(decode(0, 0, 8, AbortSignal.abort(reason))).rejects.toBe(reason)
})

test('rejects a track that is not there', async () => {
  const decode = await openVideo('one.mp4', [beep], `${h264} -c:a aac`)
  await expect(decode(1, 0, 8)).rejects.toThrow('ffmpeg')
})
