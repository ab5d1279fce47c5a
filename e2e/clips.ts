import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { drawClip } from '../server/src/testing/fixtures/test-clips.ts'
import { picture } from './people.ts'

/** A file as a picker hands it over. */
export interface PickedFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A real video of two seconds; `paddingBytes` of nothing make it as large as a journey needs. */
export async function clip(paddingBytes = 0): Promise<PickedFile> {
  const buffer = await drawClip('mp4')
  return { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.concat([buffer, freeBox(paddingBytes)]) }
}

/**
 * Half a minute in 360p with sound: long enough to seek in, large enough for a second quality. `captions` are what
 * is said all the time, by language.
 */
export async function film(captions: Record<string, string> = {}): Promise<PickedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-captions-'))
  const said: string[] = []
  const shown: string[] = []
  try {
    for (const [index, [language, text]] of Object.entries(captions).entries()) {
      const words = join(folder, `${language}.srt`)
      await writeFile(words, `1\n00:00:00,000 --> 00:00:30,000\n${text}\n`)
      said.push('-i', words)
      shown.push('-map', String(index + 2), `-metadata:s:s:${index}`, `language=${language}`)
    }
    const tracks = ['-map', '0', '-map', '1', ...shown, '-c:s', 'mov_text']
    const codecs = [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '48',
      '-c:a',
      'aac',
    ]
    const buffer = await drawFilm('mp4', [...said, ...tracks, ...codecs])
    return { name: 'film.mp4', mimeType: 'video/mp4', buffer }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Half a minute in 360p with sound, made as further arguments of ffmpeg say. */
export async function drawFilm(extension: string, args: string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-film-'))
  const file = join(folder, `film.${extension}`)
  const moving = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=24:d=30']
  const tone = ['-f', 'lavfi', '-i', 'sine=f=330:d=30:r=48000']
  try {
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...moving, ...tone, ...args, file])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Publishes a video for whoever is signed in and answers its id. */
export async function publish(
  page: Page,
  title: string,
  { video, description = 'Two seconds' }: { video?: PickedFile; description?: string } = {},
): Promise<string> {
  const response = await page.request.post('/api/v1/video/upload', {
    multipart: { title, description, thumbnail: picture, video: video ?? (await clip()) },
  })
  if (!response.ok()) throw new Error(`Uploading answered ${response.status()}: ${await response.text()}`)
  return (await response.json()).data._id
}

/** A box that every reader of MP4 passes over. */
function freeBox(sizeBytes: number): Buffer {
  if (sizeBytes === 0) return Buffer.alloc(0)
  const box = Buffer.alloc(sizeBytes)
  box.writeUInt32BE(sizeBytes, 0)
  box.write('free', 4, 'latin1')
  return box
}
