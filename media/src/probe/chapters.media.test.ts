import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probe } from './probe.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-chapters-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Chapters of a clip of five seconds that names these in its metadata. */
async function chaptersOf(name: string, codecs: string, chapters: { from: number; title: string }[]) {
  const sections = chapters.map(({ from, title }) => {
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${from}\nEND=${from + 500}\ntitle=${title}\n`
  })
  const metadata = path.join(directory, 'metadata.txt')
  await writeFile(metadata, `;FFMETADATA1\n${sections.join('')}`)
  const file = path.join(directory, name)
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=25:d=5', '-i', metadata, '-map_chapters', '1']
  await promisify(execFile)('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...inputs,
    '-map',
    '0',
    ...codecs.split(' '),
    file,
  ])
  return (await probe({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }, file)).chapters
}

const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25'
const vp8 = '-c:v libvpx -deadline realtime -cpu-used 8'

test.each([
  ['named.mp4', x264],
  ['named.webm', vp8],
])('reads the chapters of %s', async (name, codecs) => {
  const chapters = [
    { from: 0, title: 'Ebb' },
    { from: 1500, title: 'Slack water' },
    { from: 3000, title: '夜景' },
  ]
  expect(await chaptersOf(name, codecs, chapters)).toEqual([
    { title: 'Ebb', startSeconds: 0 },
    { title: 'Slack water', startSeconds: 1.5 },
    { title: '夜景', startSeconds: 3 },
  ])
})

test('a single chapter, and one behind the end, are none', async () => {
  const chapters = [
    { from: 0, title: 'All' },
    { from: 9000, title: 'Never' },
  ]
  expect(await chaptersOf('single.webm', vp8, chapters)).toBeUndefined()
})
