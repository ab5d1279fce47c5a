import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Random } from '../../../demo/random.ts'
import { box } from '@kinora/media/containers/mp4/boxes.ts'
import { readBoxes } from '@kinora/media/containers/mp4/fmp4.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { type Clip, drawClip } from '@kinora/media/testing/test-clips.ts'
import { uploadForm } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { deleteVideoFiles } from '../videos/jobs.ts'

/**
 * Damaged videos, uploaded and played through the site. `npm run test:fuzz` sends a thousand; FUZZ_FILES and FUZZ_SEED
 * set number and seed.
 */
const files = Number(process.env['FUZZ_FILES'] ?? 40)
const seed = process.env['FUZZ_SEED'] ?? 'films'
const sideBySide = 3
/** Far longer than any file takes with all requests: longer means that it hangs. */
const timeoutMs = 300_000

const fragmented: Clip[] = ['mp4, fragmented', 'mp4, continued in fragments']
const clips: Clip[] = ['mp4', 'mp4, index in front', ...fragmented, 'webm', 'ogg']
const extremes = [0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]

const parents = ['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf']

/** An MP4 with a box moved, repeated or left out, at any depth; unchanged if it has no boxes. */
function withOtherBoxes(random: Random, bytes: Buffer): Buffer<ArrayBuffer> {
  const boxes = [...readBoxes(bytes)]
  const parts: Buffer[] = boxes.map(({ start, end }) => bytes.subarray(start, end))
  if (parts.length === 0) return Buffer.from(bytes)
  const at = random.below(parts.length)
  const { type, content, end } = boxes[at] ?? { type: '', content: 0, end: 0 }
  if (parents.includes(type) && random.below(4) > 0) {
    parts[at] = box(type, [withOtherBoxes(random, bytes.subarray(content, end))])
  } else {
    const [part = Buffer.alloc(0)] = parts.splice(at, random.pick([0, 1]))
    for (let copies = random.below(3); copies > 0; copies -= 1)
      parts.splice(random.below(parts.length + 1), 0, part)
  }
  // bytes after the last whole box stay
  return Buffer.concat([...parts, bytes.subarray(boxes.at(-1)?.end ?? 0)])
}

/** Damages a few positions, most of them in the metadata of containers. */
function mutate(random: Random, video: Buffer, other: Buffer): Buffer {
  let bytes = Buffer.from(video)
  const place = () => {
    const [head, tail] = [random.below(Math.min(600, bytes.length)), bytes.length - 1 - random.below(3000)]
    return Math.max(0, random.pick([head, head, tail, random.below(bytes.length)]))
  }
  const changes: (() => void)[] = [
    () => void (bytes[place()] = random.below(256)),
    () => void (bytes[place()] = (bytes[place()] ?? 0) ^ (1 << random.below(8))),
    () => {
      const at = Math.min(place(), bytes.length - 4)
      if (at >= 0) bytes.writeUInt32BE(random.pick(extremes), at)
    },
    () => {
      const [at, end] = [place(), place() + random.below(200)]
      bytes.fill(random.pick([0, 0xff]), at, Math.max(at, Math.min(end, bytes.length)))
    },
    () => void (bytes = bytes.subarray(0, Math.max(1, place()))),
    () => {
      const at = place()
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(64))])
    },
    () => {
      const [at, from] = [place(), place()]
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        bytes.subarray(from, from + random.below(4000)),
        bytes.subarray(at),
      ])
    },
    () => void (bytes = withOtherBoxes(random, bytes)),
    () =>
      void (bytes = Buffer.concat([bytes.subarray(0, place()), other.subarray(random.below(other.length))])),
  ]
  for (let count = 1 + random.below(6); count > 0 && bytes.length > 1; count -= 1) random.pick(changes)()
  return bytes
}

/** Uploads a video and requests everything of it. Returns the status of the upload. */
async function tryOut(client: TestClient, video: Buffer, name: string): Promise<number> {
  const form = await uploadForm({ title: name }, video)
  const startedAt = performance.now()
  const { status, body } = await client.post('/api/v1/video/upload', form)
  expect([201, 400], `${name}: ${status} ${body.message}`).toContain(status)
  if (status !== 201) return status

  const { _id: id, duration } = body.data as { _id: string; duration: number }
  expect(duration, name).toBeGreaterThan(0)
  const get = async (path: string) => {
    const response = await client.fetch(path)
    const text = await response.text()
    const isFine = response.status === 200 || response.status === 404 || response.status === 503
    expect(isFine, `${name}: ${path} returns ${response.status} ${text.slice(0, 200)}`).toBe(true)
    return response.ok ? text : ''
  }
  const base = `/media/videos/${id}/`
  const lists = (await get(`${base}master.m3u8`)).match(/^[\w/]+\.m3u8$|(?<=URI=")[\w/]+\.m3u8/gm) ?? []
  expect(lists.length, `${name} has no playlist`).toBeGreaterThan(0)
  for (const list of lists) {
    const parts = (await get(base + list)).match(/\w+\.(m4s|mp4)/g) ?? []
    for (const part of new Set([parts[0], parts[1], parts.at(-1)])) {
      if (part) await get(base + list.replace(/[^/]+$/, part))
    }
  }
  await get(`${base}storyboard.vtt`)
  expect((await client.delete(`/api/v1/video/${id}`)).status, name).toBe(200)
  expect(performance.now() - startedAt, `${name} took long`).toBeLessThan(timeoutMs)
  return status
}

/** Files below the data directory, except for pictures in use. */
async function leftOver({ context, db }: TestApp): Promise<string[]> {
  const entries = await readdir(context.config.dataDir, { recursive: true, withFileTypes: true })
  const shown = await db.selectFrom('users').select('avatar').execute()
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !shown.some(({ avatar }) => file.includes(`/${avatar}/`)))
    .filter((file) => file !== join(context.config.dataDir, 'storage/site-id'))
}

test(
  `${files} damaged videos cause no 5xx and leave no files`,
  { timeout: 600_000 + files * 20_000 },
  async () => {
    const site = await createTestApp({
      worker: true,
      settings: {
        PREPARE_POLICY: 'none',
        SEGMENT_WAIT_SECONDS: '20',
        LOG_LEVEL: 'silent',
        UPLOADS_PER_USER: '100',
      },
    })
    try {
      const { client } = await signUp(site)
      const videos = await Promise.all(clips.map(drawClip))
      const counts = new Map<number, number>()
      let next = 0
      const send = async () => {
        for (let index = next++; index < files; index = next++) {
          // own random numbers, so that one video can be tested again alone
          const random = new Random(`${seed} ${index}`)
          const video = mutate(random, random.pick(videos), random.pick(videos))
          const status = await tryOut(client, video, `video ${index} of ${seed}`)
          counts.set(status, (counts.get(status) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: sideBySide }, send))
      // some are rejected and some are played: otherwise too much or too little was damaged
      expect(counts.get(201)).toBeGreaterThan(files / 10)
      expect(counts.get(400)).toBeGreaterThan(files / 10)
      expect((await client.get('/api/v1/users/currentuser')).status).toBe(200)

      // the second deletion of files is minutes later, when no segment can still be encoded
      const busy = sql<{ name: string }>`select name from pgboss.job where state in ('active', 'retry')
      or (state = 'created' and name like 'playback.%')`
      await expect.poll(async () => (await busy.execute(site.db)).rows, { timeout: 120_000 }).toEqual([])
      await sql`update pgboss.job set start_after = now() where state = 'created' and name = ${deleteVideoFiles.name}`.execute(
        site.db,
      )
      await expect.poll(() => leftOver(site), { timeout: 60_000, interval: 500 }).toEqual([])
    } finally {
      await site.close()
    }
  },
)
