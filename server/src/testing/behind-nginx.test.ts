import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pictureKey } from '../features/pictures/rules.ts'
import { createTestApp, type TestApp } from './test-app.ts'

const operations = join(import.meta.dirname, '../../../docs/operations.md')
const hasNginx = spawnSync('nginx', ['-v']).status === 0

let site: TestApp
let directory: string
let nginx: ChildProcess
let url: string
const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251))
const key = pictureKey('abcdefghijklmnop', 640, 'webp')
const address = '/media/pictures/abcdefghijklmnop/640.webp'

describe.skipIf(!hasNginx)('behind nginx, as docs/operations.md has it', () => {
  beforeAll(async () => {
    site = await createTestApp({ settings: { MEDIA_DELIVERY: 'nginx', TRUST_PROXY: 'true' } })
    await site.storage.put(key, bytes)
    directory = await mkdtemp(join(tmpdir(), 'kinora-nginx-'))
    await chmod(site.context.config.dataDir, 0o755)
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    await mkdir(join(directory, 'logs'))
    await writeFile(join(directory, 'nginx.conf'), await documented(port))
    nginx = spawn('nginx', ['-p', directory, '-c', join(directory, 'nginx.conf')], { stdio: 'inherit' })
    const isUp = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await vi.waitUntil(isUp, { timeout: 25_000 })
  })
  afterAll(async () => {
    nginx.kill('SIGTERM')
    await once(nginx, 'exit')
    await site.close()
    await rm(directory, { recursive: true, force: true })
  })

  test('a file is sent by nginx, whole, by ranges and not at all where it is known', async () => {
    const whole = await fetch(url + address)
    expect(whole.status).toBe(200)
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      server: expect.stringContaining('nginx'),
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const part = await fetch(url + address, { headers: { range: 'bytes=1000-1999' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/100000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
    const known = { 'if-none-match': whole.headers.get('etag') ?? '' }
    expect((await fetch(url + address, { headers: known })).status).toBe(304)
    const head = await fetch(url + address, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '100000'])
  })

  test('what Kinora refuses stays refused, and nobody asks nginx for the files themselves', async () => {
    expect((await fetch(url + address.replace('640', '160'))).status).toBe(404)
    expect((await fetch(`${url}/kinora-storage/${key}`)).status).toBe(404)
    await site.storage.delete(key)
    expect((await fetch(url + address)).status).toBe(404)
  })
})

/** The server of the page, with what stands in the page for other machines replaced by what is here. */
async function documented(port: number): Promise<string> {
  const page = await readFile(operations, 'utf8')
  const [server = '', files = ''] = Array.from(page.matchAll(/```nginx\n(.*?)```/gs), ([, text]) => text)
  const here = server
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replace(/listen 443[^;]*/, `listen 127.0.0.1:${port}`)
    .replace('http://127.0.0.1:3000', site.origin)
    .replace(/\}\s*$/, `${files.replace('/var/lib/kinora-data', site.context.config.dataDir)}\n}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  return `daemon off; pid nginx.pid; error_log logs/error.log; events {} http { access_log off; ${temporary.join(' ')}\n${here} }`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // of a server that listens on a port, and so not a string and not null
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
