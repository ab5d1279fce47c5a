import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { beforeAll, expect, test } from 'vitest'
import { expectPlayable } from './fixtures/expect-playable.ts'
import { TestClient } from './fixtures/test-client.ts'
import { upload } from './fixtures/test-uploads.ts'
import { registrationForm, testPassword } from './fixtures/test-users.ts'
import { buildImage, startContainer, type Container, type Image } from './servers/container.ts'
import { startPostgresql } from './servers/distribution-postgresql.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

const port = 16_999
const kinora = '/opt/kinora/bin/kinora'
const local = { HOST: '127.0.0.1', PORT: String(port) }

let directory: string
let image: Image

beforeAll(() => {
  let deleteDirectory: () => void | Promise<void> = () => undefined
  directory = temporaryDirectory((cleanUp) => (deleteDirectory = cleanUp))
  image = buildImage(directory)
  return async () => {
    image.delete()
    await deleteDirectory()
  }
})

test('a whole site plays an upload, stops in order, and restores a backup', async () => {
  const data = makeVolume('site')
  const container = await startHealthy(data)
  const ana = new TestClient(`http://127.0.0.1:${port}`)
  const form = await registrationForm()
  const credentials = { username: String(form.get('username')), password: testPassword }
  expect((await ana.post('/api/v1/users/register', form)).status).toBe(201)
  await ana.post('/api/v1/users/login', credentials)
  const video = await upload(ana, 'In a container')
  await expectPlayable(ana, video)

  const { findings } = JSON.parse(container.execute(kinora, 'doctor', '--json'))
  expect(findings).toContainEqual(expect.objectContaining({ subject: 'sandbox', state: 'good' }))
  expect(container.execute('id', '-u')).toBe('1000')
  expect(() => container.execute('touch', '/opt/kinora/file')).toThrow('Read-only file system')

  container.execute(kinora, 'backup', '/data/backups/mine')
  await ana.call(deleteVideo, { params: { id: video._id } })
  expect(await container.stop()).toBe(0)
  const restored = startContainer(image, {
    directory,
    data,
    args: ['restore', '/data/backups/mine', '--replace'],
  })
  expect(await restored.ended).toBe(0)
  await startHealthy(data)
  await ana.post('/api/v1/users/login', credentials)
  await expectPlayable(ana, video)
})

test('the roles of several containers share a database', async () => {
  const { url } = await startPostgresql()
  const data = makeVolume('several')
  const env = { ...local, DATABASE_URL: url }
  const start = (role: string, more: Record<string, string> = {}) =>
    startContainer(image, { directory, data, args: [role], env: { ...env, ...more } })
  expect(await start('migrate').ended).toBe(0)
  const processes = [start('web'), start('worker', { METRICS_PORT: String(port + 1) })]
  for (const each of processes) await expect.poll(() => each.isHealthy(), patience).toBe(true)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(await page.text()).toContain('<div id="root"')
  await expect
    .poll(() => processes.map((each) => each.output()).join(''), patience)
    .toContain('"sandbox ready"')
  expect(await Promise.all(processes.map((each) => each.stop()))).toEqual([0, 0])
})

const patience = { timeout: 120_000, interval: 500 }

function makeVolume(name: string): string {
  const data = join(directory, name)
  mkdirSync(data)
  return data
}

/** Starts a whole site, and waits until the health check of the image passes. */
async function startHealthy(data: string): Promise<Container> {
  const container = startContainer(image, { directory, data, env: local })
  await expect.poll(() => container.isHealthy(), patience).toBe(true)
  return container
}
