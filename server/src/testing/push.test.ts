import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { createApiToken } from '@kinora/contract/accounts/api-tokens.ts'
import type { TokenScope } from '@kinora/contract/accounts/token-scopes.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import type { TestClient } from './fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { videoOf } from './fixtures/test-uploads.ts'
import { signUp, testPassword } from './fixtures/test-users.ts'
import { runInProcess } from './fixtures/run-in-process.ts'
import { runKinora, spawnKinora } from './servers/run-kinora.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { progressLine } from '../cli/push/progress-line.ts'

const megabyte = 1024 * 1024

let site: TestApp
let client: TestClient

beforeAll(async () => {
  site = await createTestApp()
  client = (await signUp(site)).client
})
afterAll(() => site.close())

const tokenWith = async (scope: TokenScope) => {
  const body = { name: 'push', scopes: [scope], days: 1, password: testPassword }
  return (await client.call(createApiToken, { body })).token
}

/** The environment of a command without a site on this machine. */
const environment = (token: string, directory: string, address = site.origin) => ({
  KINORA_TOKEN: token,
  KINORA_SITE: address,
  XDG_STATE_HOME: directory,
  DATA_DIR: join(directory, 'none'),
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
})

const titles = async () => {
  const { videos } = await client.call(listOwnVideos, { query: {} })
  return videos.map(({ title }) => title)
}

test('publishes a file with its texts, and leaves it out afterwards', async () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'flats.mp4')
  await writeFile(file, await drawClip('mp4'))
  const args = ['push', file, '--title', 'Salt flats', '--description', 'At dawn', '--tags', 'salt, dawn']
  const settings = ['--category', 'travel', '--visibility', 'unlisted', '--json']
  const env = environment(await tokenWith('upload'), directory)
  const first = await runInProcess([...args, ...settings], env)
  expect(first).toMatchObject({ exitCode: 0, json: [{ file, url: expect.stringContaining('/video/') }] })
  const [{ id }] = first.json
  expect((await client.get(`/api/v1/studio/videos/${id}`)).body.data).toMatchObject({
    title: 'Salt flats',
    description: 'At dawn',
    tags: ['salt', 'dawn'],
    category: 'travel',
    visibility: 'unlisted',
  })
  expect((await runInProcess([...args, ...settings], env)).json).toEqual(first.json)
  const again = await runInProcess([...args, ...settings, '--again'], env)
  expect(again.json[0].id).not.toBe(id)
})

test('publishes the videos of a folder, and reports those that are refused', async () => {
  const directory = temporaryDirectory()
  const folder = join(directory, 'holiday')
  await mkdir(folder)
  await writeFile(join(folder, 'Dunes.webm'), await drawClip('webm'))
  await writeFile(join(folder, 'broken.mp4'), 'no video at all')
  await writeFile(join(folder, 'notes.txt'), 'not sent')
  const { exitCode, json, errors } = await runInProcess(
    ['push', folder, '--json'],
    environment(await tokenWith('upload'), directory),
  )
  expect(exitCode).toBe(1)
  expect(json).toMatchObject([
    { file: join(folder, 'Dunes.webm'), id: expect.any(String) },
    { file: join(folder, 'broken.mp4'), error: expect.stringContaining('Invalid file type') },
  ])
  expect(errors).toContain('broken.mp4')
  expect(await titles()).toContain('Dunes')
})

test('continues an interrupted upload with the bytes that are missing', async () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'Glacier.mp4')
  const bytes = await videoOf(6 * megabyte)
  await writeFile(file, bytes)
  await utimes(file, 1_700_000_000, 1_700_000_000)
  const line = await slowLine(4 * megabyte)
  const env = environment(await tokenWith('upload'), directory, line.origin)
  const child = spawnKinora(['push', file], env)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  await line.isFull
  child.kill('SIGINT')
  expect(await exit).toBe(130)
  expect(errors).toContain('Run the same command again')
  const before = line.open()
  const { exitCode, output } = await runKinora(['push', file], env)
  expect([exitCode, output]).toEqual([0, expect.stringContaining('/video/')])
  expect(line.sentBytes() - before).toBeLessThan(bytes.length)
  expect(await titles()).toContain('Glacier')
})

test.each([
  ['an unknown token', async () => ({ KINORA_TOKEN: 'kin_abc' }), 1, 'unknown, expired or revoked'],
  [
    'a token that may only read',
    async () => ({ KINORA_TOKEN: await tokenWith('read') }),
    1,
    'lacks the scope upload',
  ],
  ['no site', async () => ({ KINORA_SITE: 'http://127.0.0.1:9' }), 1, 'cannot be reached'],
  ['a wrong address', async () => ({ KINORA_SITE: 'video' }), 2, 'https://video.example.org'],
])('reports %s', async (_name, change, code, sentence) => {
  const directory = temporaryDirectory()
  const file = join(directory, 'glacier.mp4')
  await writeFile(file, 'no video')
  const { exitCode, errors } = await runInProcess(['push', file], {
    ...environment('kin_abc', directory),
    ...(await change()),
  })
  expect([exitCode, errors]).toEqual([code, expect.stringContaining(sentence)])
})

test('reports wrong arguments before anything is sent', async () => {
  const directory = temporaryDirectory()
  const env = environment(await tokenWith('upload'), directory)
  const file = join(directory, 'glacier.mp4')
  await writeFile(file, 'no video')
  await writeFile(join(directory, 'other.mp4'), 'no video')
  expect(await runInProcess(['push'], env)).toMatchObject({ exitCode: 2 })
  expect(await runInProcess(['push', join(directory, 'none.mp4')], env)).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('There is no file'),
  })
  expect(await runInProcess(['push', directory, '--title', 'Glacier'], env)).toMatchObject({ exitCode: 2 })
  expect(await runInProcess(['push', file, '--category', 'nothing'], env)).toMatchObject({ exitCode: 2 })
})

test('the progress line shows share, sizes and speed', () => {
  let at = 0
  const line = progressLine('glacier.mp4', () => at)
  expect(line(0, 10_000_000)).toBe('glacier.mp4 [------------------------]   0 %  0 B of 10.0 MB')
  at = 2000
  expect(line(5_000_000, 10_000_000)).toBe(
    'glacier.mp4 [############------------]  50 %  5.0 MB of 10.0 MB, 2.5 MB/s',
  )
})

/** A connection to the site that passes on `limit` bytes of requests, and all of them once it is opened. */
async function slowLine(limit: number) {
  const { port, hostname } = new URL(site.origin)
  let sent = 0
  let isOpen = false
  const full = Promise.withResolvers<void>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.on('data', (chunk: Buffer) => {
      sent += chunk.length
      far.write(chunk)
      if (isOpen || sent < limit) return
      near.pause()
      full.resolve()
    })
    far.pipe(near)
    near.on('close', () => far.destroy()).on('error', () => far.destroy())
    far.on('close', () => near.destroy()).on('error', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isFull: full.promise,
    sentBytes: () => sent,
    /** Lets everything through from now on; returns the bytes so far. */
    open: () => {
      isOpen = true
      return sent
    },
  }
}
