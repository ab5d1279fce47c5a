import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audioName, planPresentation } from '../plan/hls.ts'
import { probe } from '../probe/probe.ts'
import { encodeAudio } from './encode.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'

const run = promisify(execFile)
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-loudness-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const at = (name: string) => path.join(directory, name)

/** Makes a WebM of ten seconds with some audio, and encodes each of its audio tracks segment by segment. */
async function encodeTracks(name: string, audio: string): Promise<{ file: string; tracks: string[] }> {
  const file = at(name)
  const inputs = `-f lavfi -i color=s=640x360:r=5:d=10 -f lavfi -i ${audio}`
  const codecs = '-c:v libvpx -deadline realtime -cpu-used 8 -c:a flac -f matroska'
  await run('ffmpeg', ['-v', 'error', '-y', ...`${inputs} ${codecs}`.split(' '), file])
  const source = await probe(tools, file)
  const presentation = planPresentation(source)
  const tracks: string[] = []
  for (const plan of presentation.audio) {
    const parts: Buffer[] = []
    for (let index = 0; index < plan.segmentCount; index++)
      await encodeAudio(
        { tools, source, timeline: presentation.timeline, path: file },
        plan,
        { from: index, to: index + 1 },
        (part, bytes) => (parts[part === 'init' ? 0 : part + 1] = Buffer.from(bytes)),
      )
    const track = at(`${name}-${audioName(plan)}.mp4`)
    await writeFile(track, Buffer.concat(parts))
    tracks.push(track)
  }
  return { file, tracks }
}

/** Integrated loudness in LUFS, and the true peak in dBFS. */
async function loudnessOf(file: string): Promise<{ integrated: number; truePeak: number }> {
  const { stderr } = await run(
    'ffmpeg',
    `-nostats -i ${file} -vn -af ebur128=peak=true -f null -`.split(' '),
    { maxBuffer: 2 ** 24 },
  )
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'))
  return {
    integrated: Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1]),
    truePeak: Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1]),
  }
}

/** Momentary loudness in LUFS, of the 0.4 s before each tenth of a second. */
async function momentaryOf(file: string): Promise<number[]> {
  const { stdout } = await run(
    'ffmpeg',
    `-v error -i ${file} -af ebur128=metadata=1,ametadata=print:key=lavfi.r128.M:file=- -f null -`.split(' '),
    { maxBuffer: 2 ** 24 },
  )
  return Array.from(stdout.matchAll(/r128\.M=(\S+)/g), ([, value]) => Number(value))
}

/** RMS levels of the channels at a frequency, in decibels of full scale. */
async function levelsAt(file: string, hertz: number): Promise<number[]> {
  const { stderr } = await run(
    'ffmpeg',
    `-nostats -i ${file} -vn -af atrim=1:9,bandpass=f=${hertz}:width_type=h:w=20,astats -f null -`.split(' '),
    { maxBuffer: 2 ** 24 },
  )
  const channels = stderr.slice(0, stderr.indexOf('Overall'))
  return Array.from(channels.matchAll(/RMS level dB: (\S+)/g), ([, level]) =>
    Number(level === '-inf' ? -200 : level),
  )
}

test('encoded audio is as loud as its source', async () => {
  const voice =
    'anoisesrc=c=pink:r=48000:d=10:a=0.4:seed=1,lowpass=f=6000:p=2,tremolo=f=0.5:d=0.8,aformat=channel_layouts=stereo'
  const { file, tracks } = await encodeTracks('voice.webm', voice)
  const wanted = await loudnessOf(file)
  expect(tracks).toHaveLength(2)
  for (const track of tracks) {
    const { integrated, truePeak } = await loudnessOf(track)
    expect(Math.abs(integrated - wanted.integrated), track).toBeLessThan(0.5)
    expect(truePeak, track).toBeLessThan(Math.max(0, wanted.truePeak + 1))
  }
})

for (const rate of [44_100, 48_000])
  test(`a tone of ${rate} Hz stays as loud where segments join`, nightlyUnless(rate === 44_100), async () => {
    const tone = `sine=f=440:r=${rate}:d=10,volume=10dB,aformat=channel_layouts=stereo`
    const { tracks } = await encodeTracks(`${rate}.webm`, tone)
    expect(tracks).toHaveLength(2)
    for (const track of tracks) {
      const steady = (await momentaryOf(track)).slice(5, -5)
      expect(steady.length).toBeGreaterThan(85)
      expect(Math.max(...steady) - Math.min(...steady), track).toBeLessThan(0.2)
    }
  })

test('5.1 is mixed to stereo as ITU-R BS.775 says, without clipping', async () => {
  // left, right, centre, low frequencies, left and right surround
  const hertz = [300, 500, 700, 80, 1100, 1300]
  const mix = `aevalsrc=${hertz.map((f) => `0.3*sin(${f}*2*PI*t)`).join('|')}:c=5.1:s=48000:d=10`
  const { tracks } = await encodeTracks('surround.webm', mix)
  const [track] = tracks
  if (!track) throw new Error('no audio')
  const full = 20 * Math.log10(0.3 * Math.SQRT1_2)
  const wanted = [
    [full, null],
    [null, full],
    [full - 3, full - 3],
    [null, null],
    [full - 3, null],
    [null, full - 3],
  ]
  const silent = -200
  for (const [channel, expected] of wanted.entries()) {
    const levels = await levelsAt(track, hertz[channel] ?? 0)
    // levels far below the others count as silent
    const heard = levels.map((level) => (level < full - 20 ? silent : level))
    for (const [side, level] of expected.entries())
      expect(Math.abs((heard[side] ?? 0) - (level ?? silent)), `${channel} ${side}`).toBeLessThan(0.5)
  }
  expect((await loudnessOf(track)).truePeak).toBeLessThan(0)
})
