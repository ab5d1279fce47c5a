import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sniffContainer } from '../media/source/container.ts'
import { findMetadata } from '../media/metadata/find-metadata.ts'
import { applyEdits } from '../platform/file-edits.ts'

const run = promisify(execFile)

const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=2']
const largePicture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=2']
const tone = ['-f', 'lavfi', '-i', 'sine=f=440:d=2:r=48000']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25']

const longPicture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=12']

const recipes = {
  'mp4 of twelve seconds': [...longPicture, ...h264, '-f', 'mp4'],
  mp4: [...picture, ...tone, ...h264, '-c:a', 'aac', '-f', 'mp4'],
  'mp4 of two rungs': [...largePicture, ...tone, ...h264, '-c:a', 'aac', '-f', 'mp4'],
  'mp4, index in front': [...picture, ...h264, '-movflags', '+faststart', '-f', 'mp4'],
  webm: [...picture, ...tone, '-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', '-f', 'webm'],
  ogg: [...picture, ...tone, '-c:v', 'libtheora', '-c:a', 'libvorbis', '-f', 'ogg'],
  mov: [...picture, ...h264, '-f', 'mov'],
  mkv: [...picture, ...h264, '-f', 'matroska'],
  avi: [...picture, '-c:v', 'mpeg4', '-f', 'avi'],
  'audio in mp4': [...tone, '-c:a', 'aac', '-f', 'mp4'],
  'audio in webm': [...tone, '-c:a', 'libopus', '-f', 'webm'],
  'audio in ogg': [...tone, '-c:a', 'libvorbis', '-f', 'ogg'],
  mp3: [...tone, '-c:a', 'libmp3lame', '-f', 'mp3'],
} satisfies Record<string, string[]>

export type Clip = keyof typeof recipes

const made = new Map<Clip, Promise<Buffer>>()

/** A clip of two seconds, drawn by ffmpeg once per test file. */
export function drawClip(clip: Clip): Promise<Buffer> {
  const existing = made.get(clip) ?? draw(recipes[clip])
  made.set(clip, existing)
  return existing
}

async function draw(recipe: readonly string[]): Promise<Buffer> {
  const file = join(tmpdir(), `kinora-clip-${randomUUID()}`)
  try {
    await run('ffmpeg', ['-v', 'error', '-y', ...recipe, file])
    // tags would be blanked on publishing, and tests compare what comes back
    const container = sniffContainer(await readFile(file))
    if (container) await applyEdits(file, await findMetadata(file, container))
    return await readFile(file)
  } finally {
    await rm(file, { force: true })
  }
}
