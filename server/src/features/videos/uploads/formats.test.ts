import type { FileFormat } from '@kinora/contract/videos/file-formats.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unacceptedFile } from './rules.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { type Clip, drawClip } from '@kinora/media/testing/test-clips.ts'
import { uploadForm } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

let site: TestApp
let ines: TestClient

beforeAll(async () => {
  site = await createTestApp({
    worker: true,
    settings: { ACCEPTED_CONTAINERS: 'mp4, webm,ogg,MOV,mkv,avi,ts,m4a,mp3', PREPARE_POLICY: 'none' },
  })
  ines = (await signUp(site, { username: 'ines' })).client
})
afterAll(() => site.close())

const uploadAddress = '/api/v1/video/upload'

const clips: Clip[] = [
  'mov with audio',
  'mkv with audio',
  'avi with audio',
  'avi',
  'ts',
  'm4a',
  'audio in mp4',
  'mp3',
]
const essential: Clip[] = ['mkv with audio', 'avi with audio', 'm4a']

for (const clip of clips)
  test(
    `publishes and plays a file of an added format: ${clip}`,
    nightlyUnless(essential.includes(clip)),
    async () => {
      const { status, body } = await ines.post(uploadAddress, await uploadForm({}, await drawClip(clip)))
      expect([status, body.message]).toEqual([201, 'Video uploaded'])
      const { streamUrl, videoFile, duration } = body.data as Video
      expect(duration).toBeGreaterThan(1.8)
      expect(duration).toBeLessThan(2.4)
      const master = await (await fetch(site.origin + streamUrl)).text()
      const playlist = /^[^#].*/m.exec(master)?.[0] ?? ''
      const address = new URL(playlist, site.origin + streamUrl)
      const media = await (await fetch(address)).text()
      for (const uri of [/URI="([^"]+)"/.exec(media)?.[1], /^[^#].*/m.exec(media)?.[0]]) {
        const response = await fetch(new URL(uri ?? '', address))
        expect([uri, response.status]).toEqual([uri, 200])
        expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100)
      }
      const { status: whole } = await fetch(site.origin + videoFile, { headers: { range: 'bytes=0-99' } })
      expect(whole).toBe(206)
    },
  )

test('names the accepted formats when it refuses a file', async () => {
  const form = await uploadForm({}, Buffer.from('no video at all'))
  const { status, body } = await ines.post(uploadAddress, form)
  expect([status, body.message]).toEqual([
    400,
    'Invalid file type. Only MP4, WebM, Ogg, QuickTime (MOV), Matroska (MKV), AVI, MPEG-TS, M4A, and MP3 are allowed.',
  ])
})

test('refuses a damaged file of a converted format', async () => {
  const whole = await drawClip('avi')
  const { status, body } = await ines.post(uploadAddress, await uploadForm({}, whole.subarray(0, 200)))
  expect([status, body.message]).toEqual([
    400,
    'The video file is damaged or incomplete. Choose another copy of it.',
  ])
})

test.each<[FileFormat[], string]>([
  [['ogg', 'mp4', 'webm'], 'Invalid file type. Only MP4, WebM, and Ogg are allowed.'],
  [['mp4', 'mov'], 'Invalid file type. Only MP4 and QuickTime (MOV) are allowed.'],
  [['mp4'], 'Invalid file type. Only MP4 is allowed.'],
])('the rejection for %j is %s', (accepted, message) => {
  expect(unacceptedFile(accepted).message).toBe(message)
})
