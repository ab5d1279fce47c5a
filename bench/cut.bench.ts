import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { KeptRange, VideoCut } from '@kinora/contract/videos/cuts.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { median } from './first-frame.ts'
import { cpuSeconds } from './processes.ts'
import { makeClip, startProduct } from './product.ts'
import { report } from './report.ts'

/**
 * A cut of a long video in twenty places: seconds until it plays, CPU and bytes written, that an undo restores every byte, and the
 * download and the deletion of what was cut, relative to ffmpeg cutting the same file in the same run. Nothing is prepared, so
 * that every border is encoded when it is requested.
 */
const hours = 4
const clipSeconds = 120
const places = 20
/** Length of the part that ffmpeg encodes; the rest takes as long for each second. */
const encodedSeconds = 240
/** Segments of the uncut video that are compared. */
const comparedEvery = 25

const directory = mkdtempSync(join(tmpdir(), 'kinora-cut-'))
const product = await startProduct({ PREPARE_POLICY: 'none' })
try {
  const clip = join(directory, 'clip.mp4')
  makeClip(
    clip,
    `-f lavfi -i testsrc2=s=1280x720:r=25:d=${clipSeconds} -f lavfi -i sine=d=${clipSeconds}:r=48000 -c:v libx264 -preset veryfast -b:v 1M -pix_fmt yuv420p -g 50 -c:a aac`,
  )
  const file = join(directory, 'long.mp4')
  ffmpeg(`-stream_loop ${(hours * 3600) / clipSeconds - 1} -i ${clip} -c copy -movflags +faststart ${file}`)
  const { video } = await product.upload(file, 'Hours')
  const id = video._id
  const source = `/media/videos/${id}/${SEGMENT_FORMAT}/source`
  const before = await hashesOf(source)

  const { sourceDurationSeconds } = await callCut('GET', id)
  const keep = rangesOf(sourceDurationSeconds)
  const used = () => cpuSeconds([product.pids.web, product.pids.worker])
  const [cpuBefore, bytesBefore] = [used(), bytesBelow(join(product.dataDir, 'storage'))]
  const cutAt = performance.now()
  const cut = await callCut('PUT', id, { keep })
  const publishedMs = performance.now() - cutAt
  const files = await tracksOf(id)
  await Promise.all(files.slice(0, 2).map((track) => load(track.slice(0, 2))))
  const playsMs = performance.now() - cutAt
  const joinMs: number[] = []
  const [pictures = []] = files
  for (const [index, name] of pictures.entries()) {
    if (!name.endsWith('.m4s') || !/\/c\w{15}\.m4s$/.test(name) || index < 2) continue
    const askedAt = performance.now()
    await load([name])
    joinMs.push(performance.now() - askedAt)
  }
  const cutCpu = used() - cpuBefore
  const cutBytes = bytesBelow(join(product.dataDir, 'storage')) - bytesBefore

  await callCut('DELETE', id)
  const isEqual = JSON.stringify(await hashesOf(source)) === JSON.stringify(before)

  const again = await callCut('PUT', id, { keep })
  const downloadCpu = used()
  const downloadAt = performance.now()
  const downloaded = await sizeOf(`/media/videos/${id}/cut/${await keyOf(id)}`)
  const downloadMs = performance.now() - downloadAt
  const downloadCpuSeconds = used() - downloadCpu
  const deletionAt = performance.now()
  await product.call('POST', `/videos/${id}/cut/deletion`, { publishedAt: again.publishedAt })
  while ((await callCut('GET', id)).deletion?.state === 'running') await delay(200)
  const deletionMs = performance.now() - deletionAt
  if ((await callCut('GET', id)).publishedAt !== null) throw new Error('What was cut was not deleted')

  const list = join(directory, 'list.txt')
  const parts = keep.map(
    ({ startSeconds, endSeconds }) => `file '${file}'\ninpoint ${startSeconds}\noutpoint ${endSeconds}\n`,
  )
  writeFileSync(list, parts.join(''))
  const copied = join(directory, 'copied.mp4')
  const copyMs = ffmpeg(`-f concat -safe 0 -i ${list} -c copy ${copied}`)
  const encoded = join(directory, 'encoded.mp4')
  const partMs = ffmpeg(
    `-i ${file} -t ${encodedSeconds} -c:v libx264 -preset veryfast -crf 18 -c:a aac ${encoded}`,
  )
  const encodeMs = (partMs * cut.durationSeconds) / encodedSeconds
  const seconds = (ms: number) => Math.round(ms / 10) / 100
  report(
    'cut',
    {
      hours,
      places,
      'size of the file, MB': Math.round(statSync(file).size / 1e6),
      'undo restores every byte': isEqual ? 'yes' : 'NO',
    },
    [
      {
        measured: 'published and playing',
        seconds: seconds(playsMs),
        'of encoding, 1 in': Math.round(encodeMs / playsMs),
      },
      { measured: 'published alone', seconds: seconds(publishedMs), 'of encoding, 1 in': '' },
      { measured: 'later join, median', seconds: seconds(median(joinMs)), 'of encoding, 1 in': '' },
      { measured: 'CPU of all borders', seconds: Math.round(cutCpu * 10) / 10, 'of encoding, 1 in': '' },
      { measured: 'MB written', seconds: Math.round(cutBytes / 1e4) / 100, 'of encoding, 1 in': '' },
      {
        measured: `download of ${Math.round(downloaded / 1e6)} MB`,
        seconds: seconds(downloadMs),
        'of encoding, 1 in': Math.round(encodeMs / downloadMs),
      },
      {
        measured: 'CPU of the download',
        seconds: Math.round(downloadCpuSeconds * 10) / 10,
        'of encoding, 1 in': '',
      },
      {
        measured: 'deletion of what was cut',
        seconds: seconds(deletionMs),
        'of encoding, 1 in': Math.round(encodeMs / deletionMs),
      },
      {
        measured: 'ffmpeg -c copy, at keyframes',
        seconds: seconds(copyMs),
        'of encoding, 1 in': Math.round(encodeMs / copyMs),
      },
      { measured: 'ffmpeg, encoded', seconds: seconds(encodeMs), 'of encoding, 1 in': 1 },
    ],
  )
} finally {
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

/** Runs ffmpeg; milliseconds. */
function ffmpeg(args: string): number {
  const startedAt = performance.now()
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args.split(' ')])
  return performance.now() - startedAt
}

/** Ranges between as many removed parts, none of which begins or ends at a keyframe. */
function rangesOf(durationSeconds: number): KeptRange[] {
  const step = durationSeconds / (places + 1)
  return Array.from({ length: places + 1 }, (_, i) => ({
    startSeconds: i === 0 ? 3.36 : i * step + 20.52,
    endSeconds: i === places ? durationSeconds : (i + 1) * step - 0.6,
  }))
}

async function get(path: string): Promise<Buffer> {
  const response = await fetch(`${product.url}${path}`, { headers: { cookie: product.cookie } })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${bytes}`)
  return bytes
}

async function load(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map(get))
}

/** The segments of the passthrough rendition of a cut video, and those of its sound. */
async function tracksOf(id: string): Promise<string[][]> {
  const master = (await get(`/media/videos/${id}/master.m3u8`)).toString()
  const names = [
    /^(\S+\/source\/index\.m3u8)$/m.exec(master)?.[1],
    /URI="(\S+\/audio-0\/index\.m3u8)"/.exec(master)?.[1],
  ]
  return Promise.all(
    names.map(async (name = '') => {
      const playlist = `/media/videos/${id}/${name}`
      const text = (await get(playlist)).toString()
      return [...text.matchAll(/^(?!#)\S+$/gm)].map(
        ([uri]) => new URL(uri, `${product.url}${playlist}`).pathname,
      )
    }),
  )
}

/** Hashes of the playlist and of some segments of a track. */
async function hashesOf(track: string): Promise<string[]> {
  const playlist = await get(`${track}/index.m3u8`)
  const names = [...playlist.toString().matchAll(/^(?!#)\S+$/gm)].map(([uri]) => `${track}/${uri}`)
  const hashes = [hashOf(playlist)]
  for (const name of names.filter((_, i) => i % comparedEvery === 0)) hashes.push(hashOf(await get(name)))
  return hashes
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The file name of the download of a cut video. */
async function keyOf(id: string): Promise<string> {
  const { data } = JSON.parse((await get(`/api/v1/video/${id}`)).toString()) as {
    data: { downloadFile?: string }[]
  }
  return data[0]?.downloadFile?.split('/').at(-1) ?? ''
}

async function sizeOf(path: string): Promise<number> {
  const response = await fetch(`${product.url}${path}`, { headers: { cookie: product.cookie } })
  if (!response.ok || !response.body) throw new Error(`${path} returned ${response.status}`)
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  return bytes
}

function callCut(method: string, id: string, body?: object): Promise<VideoCut> {
  return product.call<VideoCut>(method, `/videos/${id}/cut`, body)
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
