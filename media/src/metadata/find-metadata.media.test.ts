import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyEdits } from '@kinora/platform/files/file-edits.ts'
import type { Container } from '../source/container.ts'
import { box } from '../containers/mp4/boxes.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { findMetadata } from './find-metadata.ts'

const run = promisify(execFile)

const secrets = {
  location: '+48.8584+002.2945/',
  comment: '5 Rue Secrete',
  make: 'Secret Camera Works',
  artist: 'Greta Geheim',
}
const tags = Object.entries(secrets).flatMap(([key, value]) => ['-metadata', `${key}=${value}`])
const trackTags = ['-metadata:s:v', 'comment=5 Rue Secrete', '-metadata:s:a', 'language=fra']
const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=1', '-f', 'lavfi', '-i', 'sine=d=1:r=48000']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac']
const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', '-f', 'webm']
const theora = ['-c:v', 'libtheora', '-f', 'ogg']

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-metadata-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function video(args: string[], more: string[] = []): Promise<string> {
  const file = path.join(directory, `${Math.random()}`)
  await run('ffmpeg', ['-v', 'error', '-y', ...inputs, ...more, ...tags, ...trackTags, ...args, file])
  return file
}

/** Output of ffprobe without tags, including its warnings. */
async function describe(file: string): Promise<unknown> {
  const show = ['streams', 'format', 'packets', 'chapters'].map((each) => `-show_${each}`)
  const args = ['-v', 'warning', ...show, '-show_data_hash', 'md5', '-of', 'json', file]
  const { stdout, stderr } = await run('ffprobe', args, { maxBuffer: 64 * 2 ** 20 })
  const shown = JSON.parse(stdout, (key, value: unknown) =>
    // the comment header of Theora and FLAC is a part of their extradata
    key === 'tags' || key === 'extradata_hash' ? undefined : value,
  )
  return { shown, stderr: stderr.replaceAll(/@ 0x\w+/g, '') }
}

async function blank(file: string, container: Container): Promise<Buffer> {
  const before = await describe(file)
  const original = await readFile(file)
  await applyEdits(file, await findMetadata(file, container))
  expect(await describe(file)).toEqual(before)
  const bytes = await readFile(file)
  expect(bytes.length).toBe(original.length)
  return bytes
}

const found = (bytes: Buffer) =>
  ['48.8584', 'Rue Secrete', 'Secret Camera', 'Geheim'].filter((secret) => bytes.includes(secret))

const files: [name: string, container: Container, args: string[]][] = [
  ['mp4', 'mp4', [...h264, '-f', 'mp4']],
  ['mp4 with its index in front', 'mp4', [...h264, '-movflags', '+faststart', '-f', 'mp4']],
  ['mp4 with tags as QuickTime has them', 'mp4', [...h264, '-movflags', 'use_metadata_tags', '-f', 'mp4']],
  ['mp4 with tags as phones have them', 'mp4', [...h264, '-f', 'mov']],
  ['mp4 in fragments', 'mp4', [...h264, '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4']],
  ['mp4 of the brand mp42', 'mp4', [...h264, '-brand', 'mp42', '-f', 'mp4']],
  ['webm', 'webm', vp8],
  ['webm with its index in front', 'webm', [...vp8.slice(0, -2), '-cues_to_front', '1', '-f', 'webm']],
  ['webm that was recorded live', 'webm', [...vp8.slice(0, -2), '-live', '1', '-f', 'webm']],
  ['ogg with Vorbis', 'ogg', ['-c:a', 'libvorbis', ...theora]],
  ['ogg with Opus', 'ogg', ['-c:a', 'libopus', ...theora]],
  ['ogg with FLAC', 'ogg', ['-c:a', 'flac', ...theora]],
  [
    'ogg with comments of many pages',
    'ogg',
    ['-metadata:s:a', `description=Geheim ${'x'.repeat(110_000)}`, '-c:a', 'libvorbis', ...theora],
  ],
]
const essential = ['mp4 with tags as phones have them', 'mp4 in fragments', 'webm', 'ogg with Vorbis']

for (const [name, container, args] of files)
  test(
    `blanks the tags of an ${name} and keeps everything else`,
    nightlyUnless(essential.includes(name)),
    async () => {
      const file = await video(args)
      expect(found(await readFile(file))).toContain('Rue Secrete')
      expect(found(await blank(file, container))).toEqual([])
      expect(await findEdited(file, container)).toEqual([])
    },
  )

/** The edits that would still change bytes. */
async function findEdited(file: string, container: Container) {
  const bytes = await readFile(file)
  const edits = await findMetadata(file, container)
  return edits.filter(({ start, head }) => !bytes.subarray(start, start + head.length).equals(head))
}

test('blanks XMP and user data anywhere in an mp4, in fragments and in boxes with 64-bit sizes too', async () => {
  const file = await video([...h264, '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4'])
  const bytes = await readFile(file)
  const fragment = bytes.indexOf('moof') - 4
  const long = Buffer.alloc(16)
  long.writeUInt32BE(1)
  long.write('uuid', 4)
  const text = Buffer.from('Greta Geheim, 5 Rue Secrete')
  long.writeBigUInt64BE(BigInt(16 + text.length), 8)
  const extra = [
    box('uuid', [text]),
    box('meta', [Buffer.alloc(4), box('xml ', [text])]),
    box('udta', [box('cmnt', [text])]),
    long,
    text,
  ]
  await writeFile(
    file,
    Buffer.concat([bytes.subarray(0, fragment), ...extra, bytes.subarray(fragment), box('uuid', [text])]),
  )
  expect(found(await blank(file, 'mp4'))).toEqual([])
})

test('keeps the chapters and the rotation of an mp4', async () => {
  const chapters = path.join(directory, 'chapters.txt')
  await writeFile(chapters, ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=900\ntitle=Beginning\n')
  const lying = await video([...h264, '-f', 'mp4'], ['-i', chapters, '-map_chapters', '2'])
  const file = `${lying}.turned`
  const turn = ['-i', lying, '-c', 'copy', '-metadata:s:v', 'rotate=90', '-f', 'mp4', file]
  await run('ffmpeg', ['-v', 'error', '-y', ...turn])
  const bytes = await blank(file, 'mp4')
  expect([found(bytes), bytes.includes('chpl')]).toEqual([[], true])
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_chapters',
    '-show_streams',
    '-of',
    'json',
    file,
  ])
  const shown = JSON.parse(stdout) as {
    chapters: { tags: object }[]
    streams: { side_data_list?: { rotation: number }[] }[]
  }
  expect(shown.chapters[0]?.tags).toEqual({ title: 'Beginning' })
  expect(
    shown.streams.flatMap(({ side_data_list: sides = [] }) => sides.map(({ rotation }) => rotation)),
  ).toContain(90)
})

test('keeps language and name of tracks', async () => {
  const file = await video(['-metadata:s:a', 'title=Dubbed', ...vp8])
  await blank(file, 'webm')
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_streams',
    '-select_streams',
    'a',
    '-of',
    'json',
    file,
  ])
  const { streams } = JSON.parse(stdout) as { streams: { tags: Record<string, string> }[] }
  expect(streams[0]?.tags).toMatchObject({ language: 'fra', title: 'Dubbed' })
})

test('blanks the attached files of a webm', async () => {
  const note = path.join(directory, 'note.txt')
  await writeFile(note, 'Greta Geheim')
  const attach = ['-attach', note, '-metadata:s:t', 'mimetype=text/plain']
  const file = await video([...vp8.slice(0, -2), ...attach, '-f', 'matroska'])
  expect(found(await readFile(file))).toContain('Geheim')
  await applyEdits(file, await findMetadata(file, 'webm'))
  expect(found(await readFile(file))).toEqual([])
  await run('ffmpeg', ['-v', 'error', '-i', file, '-map', '0:v', '-map', '0:a', '-f', 'null', '-'])
})
