import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sniffContainer } from '../source/container.ts'
import { findMetadata } from '../metadata/find-metadata.ts'
import { applyEdits } from '@kinora/platform/files/file-edits.ts'
import { drawFile, drawFileUncached } from './draw-file.ts'

const video = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=2']
const largePicture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=2']
const tone = ['-f', 'lavfi', '-i', 'sine=f=440:d=2:r=48000']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25']

const longPicture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=12']

const recipes = {
  'mp4 of twelve seconds': [...longPicture, ...h264, '-f', 'mp4'],
  mp4: [...video, ...tone, ...h264, '-c:a', 'aac', '-f', 'mp4'],
  'mp4 of two renditions': [...largePicture, ...tone, ...h264, '-c:a', 'aac', '-f', 'mp4'],
  'mp4, index in front': [...video, ...h264, '-movflags', '+faststart', '-f', 'mp4'],
  'mp4, fragmented': [...video, ...h264, '-movflags', '+frag_keyframe+empty_moov', '-f', 'mp4'],
  'mp4, continued in fragments': [...video, ...tone, ...h264, '-movflags', '+frag_keyframe', '-f', 'mp4'],
  webm: [...video, ...tone, '-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', '-f', 'webm'],
  ogg: [...video, ...tone, '-c:v', 'libtheora', '-c:a', 'libvorbis', '-f', 'ogg'],
  mov: [...video, ...h264, '-f', 'mov'],
  mkv: [...video, ...h264, '-f', 'matroska'],
  'mov with audio': [...video, ...tone, ...h264, '-c:a', 'aac', '-f', 'mov'],
  'mkv with audio': [...video, ...tone, ...h264, '-c:a', 'aac', '-f', 'matroska'],
  avi: [...video, '-c:v', 'mpeg4', '-f', 'avi'],
  'avi with audio': [...video, ...tone, '-c:v', 'mpeg4', '-c:a', 'pcm_s16le', '-f', 'avi'],
  ts: [...video, ...tone, ...h264, '-bf', '2', '-c:a', 'aac', '-f', 'mpegts'],
  m4a: [...tone, '-c:a', 'aac', '-f', 'ipod'],
  'audio in mp4': [...tone, '-c:a', 'aac', '-f', 'mp4'],
  'audio in webm': [...tone, '-c:a', 'libopus', '-f', 'webm'],
  'audio in ogg': [...tone, '-c:a', 'libvorbis', '-f', 'ogg'],
  mp3: [...tone, '-c:a', 'libmp3lame', '-f', 'mp3'],
} satisfies Record<string, string[]>

export type Clip = keyof typeof recipes

const made = new Map<Clip, Promise<Buffer>>()

/** A clip of two seconds, drawn by ffmpeg once. */
export function drawClip(clip: Clip): Promise<Buffer> {
  const existing = made.get(clip) ?? draw(recipes[clip])
  made.set(clip, existing)
  return existing
}

async function draw(recipe: readonly string[]): Promise<Buffer> {
  const file = join(tmpdir(), `kinora-clip-${randomUUID()}`)
  try {
    await writeFile(file, await drawFile(recipe, 'clip'))
    // tags would be blanked on publishing, and tests compare what comes back
    const container = sniffContainer(await readFile(file))
    if (container) await applyEdits(file, await findMetadata(file, container))
    return await readFile(file)
  } finally {
    await rm(file, { force: true })
  }
}

/** A clip with a track of English captions. */
export async function drawClipWithCaptions(): Promise<Buffer> {
  const captions = join(tmpdir(), `kinora-captions-${randomUUID()}.srt`)
  try {
    await writeFile(captions, '1\n00:00:00,000 --> 00:00:01,000\nSalt\n')
    const tracks = [
      '-i',
      captions,
      '-map',
      '0:v',
      '-map',
      '1:s',
      '-c:s',
      'mov_text',
      '-metadata:s:s',
      'language=eng',
    ]
    return await drawFileUncached([...video, ...tracks, ...h264, '-f', 'mp4'], 'mp4')
  } finally {
    await rm(captions, { force: true })
  }
}
