import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Video } from '@kinora/contract/videos/videos.ts'
import sharp from 'sharp'
import { findEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { childrenOf, cpuSeconds, peakMemoryMb } from './processes.ts'

const root = join(import.meta.dirname, '..')

/** A running site and a signed-in user. */
export interface Product {
  url: string
  dataDir: string
  databaseUrl: string
  /** Session of the signed-in user. */
  cookie: string
  username: string
  pids: { supervisor: number; web: number; worker: number; database: number[] }
  /** Milliseconds from the start of the first process to the message that the site is ready. */
  readyMs: number
  /** CPU seconds that the web process and the database have used so far. */
  cpuSeconds(): number
  /**
   * Peak resident memory of a role's process, in MB; NaN if the system does not report it. `reader` is the index reader.
   * It ends a minute after the last upload.
   */
  peakMemoryMb(role: 'web' | 'worker' | 'reader'): number
  /** Calls the API as the user, and returns the data of the response. `path` begins after `/api/v1`. */
  call<Result>(method: string, path: string, body?: object): Promise<Result>
  /** Publishes a file. The default thumbnail is a plain picture. */
  upload(file: string, title: string, thumbnail?: string): Promise<Upload>
  /** Waits until a video is prepared. Throws if preparation failed. */
  untilPrepared(videoId: string): Promise<void>
  stop(): Promise<void>
}

interface Upload {
  video: Video
  /** `performance.now()` after sending the last byte of the file, and after receiving the response. */
  lastByteAt: number
  respondedAt: number
}

/** Cookie of a client that wrote through another web process a moment ago: its reads are not answered from the cache. */
export const uncachedCookie = 'wrote-elsewhere=1'

/** Settings under which no limit rejects the requests of a benchmark. */
export const highLimits = {
  REQUESTS_PER_MINUTE: '10000000',
  SEARCHES_PER_MINUTE: '10000000',
  VIEWS_PER_MINUTE: '1000000',
  REGISTRATIONS_PER_HOUR: '1000000',
}

/** Starts the site as `npm start` does, with temporary data or with that in `keptDir`. */
export async function startProduct(
  settings: Record<string, string> = {},
  keptDir?: string,
): Promise<Product> {
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'kinora-bench-'))
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(root, 'server/dist/supervisor.js')], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // a failing benchmark must stop the site
  process.once('exit', () => child.kill('SIGTERM'))
  const url = await untilReady(child)
  const readyMs = performance.now() - startedAt
  const { cookie, username } = await signIn(url)
  const postmaster = Number(
    readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n', 1)[0],
  )
  const supervisor = child.pid ?? 0
  const role = (name: string) => childrenOf(supervisor, name)[0] ?? 0
  const pids = () => ({
    supervisor,
    web: role('web'),
    worker: role('worker'),
    database: [postmaster, ...childrenOf(postmaster)],
  })
  return {
    url,
    dataDir,
    databaseUrl: (await findEmbedded(dataDir)) ?? '',
    cookie,
    username,
    get pids() {
      return pids()
    },
    readyMs,
    cpuSeconds() {
      const { web, database } = pids()
      return cpuSeconds([web, ...database])
    },
    peakMemoryMb: (name) =>
      peakMemoryMb(name === 'reader' ? (childrenOf(role('web'), 'reader')[0] ?? 0) : role(name)),
    call: (method, path, body) => call({ url, cookie }, method, path, body),
    upload: (file, title, thumbnail) => upload(url, cookie, file, title, thumbnail),
    untilPrepared: (videoId) => untilPrepared(`${url}/api/v1/video/${videoId}`),
    async stop() {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
      if (!keptDir) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function call<Result>(
  { url, cookie }: { url: string; cookie: string },
  method: string,
  path: string,
  body?: object,
): Promise<Result> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { cookie, origin: url, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: Result }).data
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^Kinora is ready at (\S+)/.exec(line)?.[1]
      if (ready) resolve(ready)
    })
    child.once('exit', (code) => reject(new Error(`The site exited with ${code} before it was ready`)))
  })
}

async function signIn(url: string): Promise<{ cookie: string; username: string }> {
  const username = `bench${randomBytes(4).toString('hex')}`
  const [email, password] = [`${username}@kinora.example`, 'linocut-heron']
  const form = new FormData()
  for (const [name, value] of Object.entries({ username, email, password, fullname: 'Bench' }))
    form.set(name, value)
  form.set('avatar', new Blob([await picture()], { type: 'image/png' }), 'a.png')
  const origin = { origin: url }
  await expectOk(await fetch(`${url}/api/v1/users/register`, { method: 'POST', body: form, headers: origin }))
  const login = await fetch(`${url}/api/v1/users/login`, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    headers: origin,
  })
  await expectOk(login)
  const cookies = login.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  return { cookie: cookies.join('; '), username }
}

async function untilPrepared(videoUrl: string): Promise<void> {
  for (;;) {
    const { data } = (await (await fetch(videoUrl)).json()) as { data: Video[] }
    const { state, reason } = data[0]?.processing ?? {}
    if (state === 'failed') throw new Error(`Preparation failed: ${reason}`)
    if (state !== 'processing') return
    await delay(200)
  }
}

async function expectOk(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`${response.url} returned ${response.status}: ${await response.text()}`)
}

/** A small picture, as an avatar or a thumbnail. */
export async function picture(): Promise<Uint8Array<ArrayBuffer>> {
  const background = { r: 40, g: 90, b: 120 }
  return new Uint8Array(
    await sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer(),
  )
}

/** Sends the form as a browser does, streaming the file. */
async function upload(
  url: string,
  cookie: string,
  file: string,
  title: string,
  thumbnail?: string,
): Promise<Upload> {
  const boundary = `----bench${randomBytes(8).toString('hex')}`
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = (name: string, filename: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const before = Buffer.concat([
    Buffer.from(field('title', title) + field('description', title) + head('thumbnail', 't.png')),
    thumbnail ? readFileSync(thumbnail) : await picture(),
    Buffer.from(`\r\n${head('video', 'video')}`),
  ])
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  const { status, text, lastByteAt } = await sendFile(
    `${url}/api/v1/video/upload`,
    { cookie, origin: url, 'content-type': `multipart/form-data; boundary=${boundary}` },
    file,
    before,
    after,
  )
  if (status !== 201) throw new Error(`The upload returned ${status}: ${text}`)
  const body = JSON.parse(text) as { data: Video }
  return { video: body.data, lastByteAt, respondedAt: performance.now() }
}

/** Posts a file with the bytes before and after it, as fast as the server reads. */
export async function sendFile(
  url: string,
  headers: Record<string, string>,
  file: string,
  before = Buffer.alloc(0),
  after = Buffer.alloc(0),
): Promise<{ status: number; text: string; lastByteAt: number }> {
  const length = before.length + statSync(file).size + after.length
  const sending = request(url, { method: 'POST', headers: { ...headers, 'content-length': length } })
  const received = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sending.once('error', reject).once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
  })
  if (before.length > 0) sending.write(before)
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) {
    if (!sending.write(chunk)) await new Promise((resolve) => sending.once('drain', resolve))
  }
  await new Promise<void>((resolve) => sending.end(after, resolve))
  const lastByteAt = performance.now()
  return { ...(await received), lastByteAt }
}

/** Creates a clip with ffmpeg. Arguments are split at spaces. */
export function makeClip(file: string, args: string): void {
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args.split(' '), file], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
