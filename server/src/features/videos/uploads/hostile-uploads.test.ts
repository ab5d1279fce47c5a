import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { type Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { uploadForm } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

/** Files crafted to do harm, uploaded like any video. */

const run = promisify(execFile)

let site: TestApp
let client: TestClient
let directory: string

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
  client = (await signUp(site)).client
  directory = await mkdtemp(join(tmpdir(), 'kinora-hostile-'))
})
afterAll(async () => {
  await site.close()
  await rm(directory, { recursive: true, force: true })
})

const upload = async (bytes: Uint8Array) => client.post('/api/v1/video/upload', await uploadForm({}, bytes))

/** Encodes a video with ffmpeg; arguments are split at blanks. */
async function make(args: string): Promise<Buffer> {
  const file = join(directory, 'video.mp4')
  await run('ffmpeg', ['-v', 'error', '-y', ...args.split(' '), file])
  return readFile(file)
}

async function expectNothingLeft(): Promise<void> {
  for (const place of ['incoming', 'storage/sources']) {
    await expect.poll(() => readdir(join(site.context.config.dataDir, place)).catch(() => [])).toEqual([])
  }
  expect(await site.db.selectFrom('videos').select('id').execute()).toEqual([])
}

const head = '\0\0\0\u0018ftypisom\0\0\0\0isommp42'
const hls = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'
const dash = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet>
  <Representation id="0"><BaseURL>file:///etc/passwd</BaseURL></Representation></AdaptationSet></Period></MPD>`
const concat = 'ffconcat version 1.0\nfile /etc/passwd\n'

test.each([
  ['an HLS playlist', hls],
  ['a DASH manifest', dash],
  ['a concat script', concat],
  ['an HLS playlist after the header of an mp4', head + hls],
  ['a DASH manifest after the header of an mp4', head + dash],
  ['a concat script after the header of an mp4', head + concat],
])('rejects %s that poses as a video', async (_, text) => {
  const { status, body } = await upload(Buffer.from(text, 'latin1'))
  const damaged = expect.stringMatching(/^The video file is damaged or incomplete at byte \d/)
  expect([status, body.message]).toEqual([
    400,
    text.startsWith(head) ? damaged : videoErrors.fileTypes.message,
  ])
  await expectNothingLeft()
})

test.each([
  [
    'an enormous resolution',
    '-f lavfi -i color=s=16384x64:r=5:d=1 -c:v libx264 -preset ultrafast',
    'The picture is 16384x64; at most 8192x8192 is allowed.',
  ],
  [
    'a square of more pixels than 8K',
    '-f lavfi -i color=s=8192x4400:r=1:d=1 -c:v libx264 -preset ultrafast',
    'The picture is 8192x4400; at most 8192x4352 pixels are allowed.',
  ],
  [
    'three frames with a duration of a week',
    '-f lavfi -i color=s=64x64:r=1:d=3 -vf setpts=N*200000/TB -fps_mode passthrough -video_track_timescale 1 -c:v libx264',
    'The video is longer than 12 hours.',
  ],
])('rejects %s with the reason', async (_, args, message) => {
  const { status, body } = await upload(await make(args))
  expect([status, body.message]).toEqual([400, message])
  await expectNothingLeft()
})

/** Writes numbers after a box's header, version and flags. */
function patch(video: Buffer, box: string, ...numbers: number[]): Buffer {
  const bytes = Buffer.from(video)
  const at = bytes.indexOf(box)
  if (at < 0) throw new Error(`there is no ${box}`)
  numbers.forEach((number, index) => bytes.writeUInt32BE(number, at + 8 + index * 4))
  return bytes
}

const many = 0x7fffffff

test.each<[name: string, change: (video: Buffer) => Buffer]>([
  ['two billion frames of one byte', (video) => patch(patch(video, 'stsz', 1, many), 'stts', 1, many, 1)],
  ['the maximum number of keyframes', (video) => patch(video, 'stss', many)],
  ['the maximum number of chunks', (video) => patch(video, 'stco', many)],
  ['chunks of the maximum number of frames', (video) => patch(video, 'stsc', 1, 1, many, 1)],
  ['the maximum number of kinds of chunks', (video) => patch(video, 'stsc', many)],
])('an index that states %s neither hangs nor exhausts memory', { timeout: 180_000 }, async (_, change) => {
  const { status, body } = await upload(change(await drawClip('mp4')))
  // rejected, or a video like any other; never a failure of the server
  const remove = async ({ _id }: Video) => (await client.delete(`/api/v1/video/${_id}`)).status
  const outcome = status === 201 ? await remove(body.data as Video) : [status, body.message]
  expect([200, [400, videoErrors.videoDamaged.message]]).toContainEqual(outcome)
  expect((await client.get('/api/v1/users/currentuser')).status).toBe(200)
})
