import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { uploadVideo } from '@kinora/contract/videos.ts'
import { expect, test, vi } from 'vitest'
import { generousLimits } from '../testing/generous-limits.ts'
import { startSite, temporaryDirectory } from '../testing/start-site.ts'
import { drawClip } from '../testing/test-clips.ts'
import { TestClient } from '../testing/test-client.ts'
import { drawPicture, registrationForm, testPassword } from '../testing/test-users.ts'

const patience = { timeout: 60_000, interval: 100 }

test.each(['SIGTERM', 'SIGKILL'] as const)('the site outlives a %s to its database alone', async (signal) => {
  const dataDir = temporaryDirectory()
  const site = startSite({ dataDir, env: { ...generousLimits, LOG_LEVEL: 'warn', PREPARE_POLICY: 'none' } })
  const address = await site.ready
  const ana = new TestClient(address)
  const form = await registrationForm()
  expect((await ana.post('/api/v1/users/register', form)).status).toBe(201)
  await ana.post('/api/v1/users/login', { username: String(form.get('username')), password: testPassword })

  const before = databaseProcess(dataDir)
  process.kill(before, signal)
  const seen = new Set<string>()
  const ask = async (path: string) => {
    const answer = await ana.get(path)
    seen.add(`${answer.status}, again after ${answer.headers.get('retry-after')}`)
    return answer.status
  }
  await vi.waitUntil(async () => {
    const status = await ask('/api/v1/users/currentuser')
    return databaseProcess(dataDir) !== before && status === 200
  }, patience)
  await vi.waitUntil(async () => (await ask('/api/v1/video/all')) === 200, patience)
  expect(['200, again after null', '503, again after 2']).toEqual(expect.arrayContaining([...seen]))

  // the queue and the messages between the processes are back as well
  const video = await upload(ana)
  await vi.waitUntil(async () => (await stateOf(ana, video)) === 'ready', patience)
  const playlist = await ana.get(`/media/videos/${video}/master.m3u8`)
  const rung = /^(\S+\/index\.m3u8)$/m.exec(playlist.text)?.[1] ?? ''
  expect((await ana.get(`/media/videos/${video}/${rung}`)).status).toBe(200)
})

function databaseProcess(dataDir: string): number {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

async function upload(client: TestClient): Promise<string> {
  const form = new FormData()
  form.set('title', 'After the restart')
  form.set('description', 'A clip')
  form.set('thumbnail', await drawPicture(640, 360), 'still.png')
  form.set('video', new Blob([new Uint8Array(await drawClip('mp4'))], { type: 'video/mp4' }), 'clip.mp4')
  return (await client.call(uploadVideo, { body: form }))._id
}

async function stateOf(client: TestClient, id: string): Promise<string | undefined> {
  const [video] = (await client.get(`/api/v1/video/${id}`)).body.data as { processing: { state: string } }[]
  return video?.processing.state
}
