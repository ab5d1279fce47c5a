import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { picturesPace } from '@kinora/platform/http/bodies/receive-body.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawPng } from '@kinora/media/testing/hostile-pictures.ts'
import { registrationForm } from '../../../testing/fixtures/test-users.ts'

const held = attackSize({ short: 8, full: 20 })
const pictureBytes = 1024 * 1024

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const picture = `--b\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n`

/** Starts registrations that send a picture except for its end. */
async function hold(site: TestApp, count: number, fields: string) {
  const port = Number(new URL(site.origin).port)
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) {
    socket.on('error', () => undefined).on('data', () => undefined)
    await once(socket, 'connect')
    socket.write(
      'POST /api/v1/users/register HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n' +
        `Content-Type: multipart/form-data; boundary=b\r\n\r\n${fields}${picture}`,
    )
    socket.write(Buffer.alloc(pictureBytes))
  }
  return sockets
}

async function incomingPaths({ context }: TestApp): Promise<string[]> {
  const directory = path.join(context.config.dataDir, 'incoming')
  return (await readdir(directory).catch(() => [])).map((name) => path.join(directory, name))
}

async function incomingBytes(site: TestApp): Promise<number> {
  const sizes = (await incomingPaths(site)).map(
    async (file) => (await stat(file).catch(() => undefined))?.size ?? 0,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test(`${held} stalled registrations store the pictures of four at most, and delete them`, async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const sockets = await hold(site, held, field('username', 'ines'))
  await expect.poll(() => incomingBytes(site)).toBeGreaterThan(3 * pictureBytes)
  expect(await incomingBytes(site)).toBeLessThanOrEqual(4 * pictureBytes)

  // a freed slot is used by the next one
  const paths = await incomingPaths(site)
  for (const socket of sockets.slice(0, 4)) socket.destroy()
  await expect.poll(async () => (await incomingPaths(site)).some((name) => !paths.includes(name))).toBe(true)
  expect(await incomingBytes(site)).toBeLessThanOrEqual(4 * pictureBytes)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => incomingBytes(site)).toBe(0)
})

test.runIf(attackSize({ short: false, full: true }))(
  'stalled registrations are closed when they are too slow, including queued ones',
  async () => {
    const site = await createTestApp()
    onTestFinished(() => site.close())
    // four at a time: each is silent for a whole window after the one in which its bytes came
    const timeout = 2 * 2 * picturesPace.windowSeconds * 1000 + 30_000
    const sockets = await hold(site, 8, field('username', 'ines'))
    await expect.poll(() => incomingBytes(site)).toBeGreaterThan(3 * pictureBytes)
    await expect.poll(() => sockets.filter(({ closed }) => !closed), { timeout }).toEqual([])
    expect(await incomingBytes(site)).toBe(0)
  },
)

test('registrations with wrong texts store nothing, wherever the fields are in the form', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const sockets = await hold(site, held, field('email', 'nonsense'))
  await expect.poll(() => sockets.filter(({ closed }) => !closed).length).toBe(0)
  expect(await incomingBytes(site)).toBe(0)
  const { status, body } = await site
    .client()
    .post('/api/v1/users/register', await registrationForm({ email: 'nonsense', username: '' }))
  expect([status, body.errors?.map(({ path: name }) => name)]).toEqual([400, ['email', 'username']])
})

test('accepts fifty concurrent registrations from one address', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const form = await registrationForm({ email: `person${at}@example.org`, username: `person${at}` })
      return (await site.client().post('/api/v1/users/register', form)).status
    }),
  )
  expect(statuses).toEqual(statuses.map(() => 201))
})

test('aborts the queued picture of a disconnected client', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const formOf = (username: string) => registrationForm({ username, email: `${username}@example.org` })
  const register = (body: FormData, signal?: AbortSignal) =>
    site.client().fetch('/api/v1/users/register', { method: 'POST', body, ...(signal ? { signal } : {}) })
  // one picture of an address is decoded at a time: these three keep the next registration waiting
  const large = new Blob([new Uint8Array(drawPng(6000, 6000))])
  const slowForms = await Promise.all(['first', 'second', 'third'].map(formOf))
  for (const form of slowForms) form.set('avatar', large, 'avatar.png')
  const [goneForm, laterForm] = [await formOf('gone'), await formOf('later')]

  const slow = slowForms.map((form) => register(form))
  await expect.poll(() => incomingPaths(site)).toHaveLength(3)
  const others = await incomingPaths(site)
  const ownPaths = async () => (await incomingPaths(site)).filter((name) => !others.includes(name))
  const leaving = new AbortController()
  const withdrawn = register(goneForm, leaving.signal)
  withdrawn.catch(() => undefined)
  await expect.poll(ownPaths, { interval: 10 }).toHaveLength(1)
  leaving.abort()

  await expect(withdrawn).rejects.toThrow('aborted')
  await expect.poll(ownPaths).toEqual([])
  for (const response of slow) expect((await response).status).toBe(201)
  expect((await register(laterForm)).status).toBe(201)
  const users = await site.db.selectFrom('users').select('username').orderBy('username').execute()
  expect(users.map(({ username }) => username)).toEqual(['first', 'later', 'second', 'third'])
})
