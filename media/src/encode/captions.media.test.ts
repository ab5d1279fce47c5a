import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractCaptions } from './captions.ts'
import { planPresentation } from '../plan/hls.ts'
import { probe } from '../probe/probe.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-captions-'))
  await writeFile(at('en.srt'), cue('00:00:01,000 --> 00:00:02,500', 'Hello <b>there</b>, 1 < 2'))
  await writeFile(at('de.srt'), cue('00:00:03,000 --> 00:00:04,000', 'Grüße'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const at = (name: string) => path.join(directory, name)
const cue = (times: string, text: string) => `1\n${times}\n${text}\n`

const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25'
const vp8 = '-c:v libvpx -deadline realtime -cpu-used 8'
const words = '-i @en.srt -i @de.srt'

/** Runs ffmpeg; `@` stands for the directory. */
const make = (args: string) =>
  promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...args.replaceAll('@', `${directory}/`).split(' ')])

/** Encodes a video of five seconds with captions, and extracts each caption track. */
async function captionsOf(name: string, codecs: string) {
  await make(`-f lavfi -i testsrc2=s=160x120:r=25:d=5 ${words} -map 0 -map 1 -map 2 ${codecs} @${name}`)
  return readCaptions(name)
}

async function readCaptions(name: string) {
  const source = await probe(tools, at(name))
  const { timeline } = planPresentation(source)
  const tracks = source.captions ?? []
  const texts = await Promise.all(
    tracks.map((track) => extractCaptions({ tools, source, timeline, path: at(name) }, track)),
  )
  return { tracks, texts: texts.map(String) }
}

const german = 'WEBVTT\n\n00:00:03.000 --> 00:00:04.000\nGrüße\n'

test('extracts the captions of an MP4 file, the default track first', async () => {
  const titles = '-metadata:s:s:0 language=eng -metadata:s:s:1 language=ger'
  const { tracks, texts } = await captionsOf(
    'two.mp4',
    `${x264} -c:s mov_text ${titles} -metadata:s:s:1 handler_name=Untertitel -disposition:s:0 0 -disposition:s:1 default`,
  )
  expect(tracks).toEqual([
    { position: 1, language: 'de', label: 'Untertitel' },
    { position: 0, language: 'en', label: 'English' },
  ])
  expect(texts).toEqual([german, 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello there, 1 &lt; 2\n'])
})

test('extracts the captions of a WebM file', async () => {
  const { tracks, texts } = await captionsOf(
    'two.webm',
    `${vp8} -c:s webvtt -metadata:s:s:0 title=Commentary -disposition:s 0`,
  )
  expect(tracks).toEqual([
    { position: 0, language: null, label: 'Commentary' },
    { position: 1, language: null, label: 'Subtitles' },
  ])
  expect(texts[1]).toBe(german)
})

test.each([
  ['late.mp4', `${x264} -c:s mov_text`],
  ['late.webm', `${vp8} -c:s webvtt`],
])('captions are in sync if timestamps do not start at zero: %s', async (name, codecs) => {
  const { texts } = await captionsOf(name, `${codecs} -output_ts_offset 7`)
  expect(texts[1]).toBe(german)
})

test('captions are in sync if an edit list hides the beginning', async () => {
  await make(`-f lavfi -i testsrc2=s=160x120:r=25:d=7 ${x264} @whole.mp4`)
  await make(`-ss 1.6 -i @whole.mp4 ${words} -map 0 -map 1 -map 2 -c:v copy -c:s mov_text @cut.mp4`)
  const { texts } = await readCaptions('cut.mp4')
  expect(texts[1]).toBe(german)
})

test('extracts at most 32 caption tracks', async () => {
  const many = Array.from({ length: 40 }, () => '-map 2').join(' ')
  await make(
    `-f lavfi -i testsrc2=s=160x120:r=25:d=5 ${words} -map 0 ${many} ${x264} -c:s mov_text @many.mp4`,
  )
  expect((await probe(tools, at('many.mp4'))).captions).toHaveLength(32)
})
