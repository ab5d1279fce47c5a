import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planPresentation } from '../plan/hls.ts'
import { probe } from '../probe/probe.ts'
import { planWaveform, readPeaks } from './waveform.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-waveform-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Makes a video of six seconds with silence, two seconds of a tone at half of full scale, and silence. */
async function openClip(name: string, codecs: string) {
  const file = path.join(directory, name)
  const tone = 'aevalsrc=between(t\\,2\\,4)*sin(2*PI*440*t)*0.5:s=48000:d=6'
  const args = `-v error -y -f lavfi -i color=s=160x120:r=10:d=6 -f lavfi -i ${tone} ${codecs}`
  await promisify(execFile)('ffmpeg', [...args.split(' '), file])
  const source = await probe(tools, file)
  const { timeline } = planPresentation(source)
  return (fromSeconds: number, toSeconds: number) =>
    readPeaks(
      { tools, source, timeline, path: file },
      { audioTrack: 0, fromSeconds, toSeconds, intervalSeconds: 0.05 },
    )
}

test.each([
  ['aac.mp4', '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'],
  ['late.mp4', '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -output_ts_offset 7'],
  ['opus.webm', '-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus -f webm'],
])('shows where a tone between two silences begins and ends: %s', async (name, codecs) => {
  const read = await openClip(name, codecs)
  const peaks = await read(0, 6)
  expect(peaks).toHaveLength(120)
  // half of full scale, and two peaks around each border for what a codec smears
  expect([...peaks.subarray(0, 38)].every((peak) => peak < 8)).toBe(true)
  expect([...peaks.subarray(42, 78)].every((peak) => peak > 115 && peak < 140)).toBe(true)
  expect([...peaks.subarray(82)].every((peak) => peak < 8)).toBe(true)
  // a block that begins within the tone continues the one before
  const [first, second] = [await read(0, 3), await read(3, 6)]
  const joined = [...first, ...second]
  expect(joined).toHaveLength(120)
  joined.forEach((peak, place) => expect(Math.abs(peak - (peaks[place] ?? 0))).toBeLessThan(8))
})

test('has at most 150,000 peaks, however long the video is', () => {
  expect(planWaveform(60)).toBe(0.05)
  expect(planWaveform(4 * 3600)).toBe(0.1)
  expect((9 * 24 * 3600) / planWaveform(9 * 24 * 3600)).toBeLessThanOrEqual(150_000)
  expect((90 * 24 * 3600) / planWaveform(90 * 24 * 3600)).toBeLessThanOrEqual(150_000)
})
