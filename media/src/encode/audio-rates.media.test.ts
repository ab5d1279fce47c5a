import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planPresentation } from '../plan/hls.ts'
import { probe } from '../probe/probe.ts'
import { encodeAudio } from './encode.ts'

const run = promisify(execFile)
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-rates-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

test.each([8000, 22_050, 48_000, 96_000])('audio of %i Hz is heard in every segment', async (rate) => {
  const file = path.join(directory, `${rate}.webm`)
  // a second of tone in the second segment
  const tone = `aevalsrc=between(t\\,5\\,6)*sin(2*PI*440*t)*0.5:s=${rate}:d=8`
  const inputs = `-f lavfi -i color=s=160x120:r=10:d=8 -f lavfi -i ${tone}`
  const codecs = '-c:v libvpx -deadline realtime -cpu-used 8 -c:a flac -f matroska'
  await run('ffmpeg', ['-v', 'error', '-y', ...`${inputs} ${codecs}`.split(' '), file])
  const source = await probe(tools, file)
  const { timeline, audio } = planPresentation(source)
  const [plan] = audio.filter((each) => !each.isLowBitrate)
  if (!plan) throw new Error('the source has no audio')
  const parts: Buffer[] = []
  for (let index = 0; index < plan.segmentCount; index++)
    await encodeAudio(
      { tools, source, timeline, path: file },
      plan,
      { from: index, to: index + 1 },
      (part, bytes) => {
        parts[part === 'init' ? 0 : part + 1] = Buffer.from(bytes)
      },
    )
  const encoded = path.join(directory, `${rate}.mp4`)
  await writeFile(encoded, Buffer.concat(parts))
  const detect = `-hide_banner -i ${encoded} -af silencedetect=n=-30dB:d=0.3 -f null -`
  const { stderr } = await run('ffmpeg', detect.split(' '))
  expect(Number(/silence_end: ([\d.]+)/.exec(stderr)?.[1])).toBeCloseTo(5, 1)
})
