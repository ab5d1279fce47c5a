import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  read,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { send } from './load.ts'
import { childrenOf, cpuSeconds } from './processes.ts'
import { makeClip, type Product, startProduct } from './product.ts'
import { round } from './reads.ts'
import { report, type Row } from './report.ts'

/**
 * What do the bytes of a video cost: from Kinora itself, from nginx once Kinora has decided who gets them
 * (`MEDIA_DELIVERY=nginx`), and from nginx alone, with sendfile (or, where there is none, a bare Node server)?
 */
const seconds = 3
const nginxPort = await freePort()
const directory = mkdtempSync(join(tmpdir(), 'kinora-bytes-'))
chmodSync(directory, 0o755)
const film = join(directory, 'film.mp4')
const codecs =
  '-c:v libx264 -preset ultrafast -b:v 30M -minrate 30M -maxrate 30M -bufsize 30M -pix_fmt yuv420p -c:a aac'
const noise = 'testsrc2=s=1280x720:r=24:d=8,noise=alls=40:allf=t'
makeClip(film, `-f lavfi -i ${noise} -f lavfi -i sine=d=8 ${codecs} -movflags +faststart`)

interface Cost {
  cpuMs: number
  requestsPerSecond: number
  bytesPerAnswer: number
}

/** The questions, and what they cost each way that was asked. */
const costs = new Map<string, Map<string, Cost>>()
const rows: Row[] = []
const program = findNginx()
try {
  await ask('stream', 'Kinora')
  if (program) await ask('nginx', 'Kinora with nginx')
  for (const [what, ways] of costs) {
    const alone = ways.get('alone')
    for (const [way, { cpuMs, requestsPerSecond, bytesPerAnswer }] of ways) {
      rows.push({
        what,
        'sent by': way === 'alone' ? (program ? 'nginx alone' : 'bare Node') : way,
        'CPU ms': round(cpuMs, 3),
        'CPU of the last / its own': round((alone?.cpuMs ?? Number.NaN) / cpuMs, 2),
        'requests/s': Math.round(requestsPerSecond),
        'MB/s': Math.round((requestsPerSecond * bytesPerAnswer) / 1e6),
        bytes: Math.round(bytesPerAnswer),
      })
    }
  }
  report('bytes', { seconds, limit: program ? 'nginx with sendfile' : 'bare Node' }, rows)
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** Asks a site of one delivery for parts of a film and for a picture, and where there is nothing in between, nginx alone. */
async function ask(delivery: 'stream' | 'nginx', name: string): Promise<void> {
  const product = await startProduct({ PREPARE_POLICY: 'none', MEDIA_DELIVERY: delivery })
  // nginx answers as another user, who must be let in
  chmodSync(product.dataDir, 0o755)
  const own = join(directory, delivery)
  mkdirSync(own)
  const { video } = await product.upload(film, 'Bytes')
  const front =
    program && delivery === 'nginx' ? await startNginx(program, own, inFrontOf(product)) : undefined
  const picture = Buffer.from(
    await (await fetch((front?.url ?? product.url) + video.thumbnail)).arrayBuffer(),
  )
  copyFileSync(film, join(own, 'film.mp4'))
  writeFileSync(join(own, 'picture.webp'), picture)
  const limit = front ? undefined : await startLimit(own)
  const size = statSync(film).size
  const middle = Math.floor(size / 2)
  const part = (bytes: number) => ({ range: `bytes=${middle}-${middle + bytes - 1}` })
  const questions: [what: string, path: string, file: string, headers: Record<string, string>][] = [
    ['1 MiB of a source', video.videoFile, '/film.mp4', part(2 ** 20)],
    ['64 KiB of a source', video.videoFile, '/film.mp4', part(2 ** 16)],
    ['a thumbnail', video.thumbnail, '/picture.webp', {}],
  ]
  try {
    for (const [what, path, file, headers] of questions) {
      const ways = costs.get(what) ?? new Map<string, Cost>()
      costs.set(what, ways)
      const pids = () => [product.pids.web, ...(front?.pids() ?? [])]
      ways.set(name, await measure(front?.url ?? product.url, path, headers, pids))
      if (limit) ways.set('alone', await measure(limit.url, file, headers, limit.pids))
    }
  } finally {
    front?.stop()
    limit?.stop()
    await product.stop()
  }
}

async function measure(
  url: string,
  path: string,
  headers: Record<string, string>,
  pids: () => number[],
): Promise<Cost> {
  const load = { url, paths: [path], headers, seconds, connections: 8 }
  await send({ ...load, seconds: 1 })
  const before = cpuSeconds(pids())
  const result = await send(load)
  const others = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '206')
  if (others.length > 0) throw new Error(`${path} was answered ${others.join(', ')}`)
  return { ...result, cpuMs: ((cpuSeconds(pids()) - before) * 1000) / result.requests }
}

/** What docs/operations.md says, for a site on this machine. */
function inFrontOf({ url, dataDir }: Product): string {
  return `
  location / { proxy_pass http://kinora; proxy_http_version 1.1; proxy_set_header Host $host; proxy_set_header Connection ""; }
  location /kinora-storage/ { internal; alias ${dataDir}/storage/; }
  } upstream kinora { server ${new URL(url).host}; keepalive 16;`
}

interface Limit {
  name: string
  url: string
  pids(): number[]
  stop(): void
}

async function startLimit(root: string): Promise<Limit> {
  const nginx = findNginx()
  return nginx ? startNginx(nginx, root) : startNode(root)
}

function findNginx(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v nginx'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

async function startNginx(nginx: string, root: string, locations = ''): Promise<Limit> {
  const file = join(root, 'nginx.conf')
  for (const name of ['logs', 'temp']) mkdirSync(join(root, name))
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path temp/${name};`,
  )
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid nginx.pid; error_log logs/error.log;
    events { worker_connections 256; }
    http { access_log off; sendfile on; tcp_nopush on; open_file_cache max=100; keepalive_requests 10000000;
      ${temp.join(' ')}
      types { video/mp4 mp4; image/webp webp; }
      server { listen 127.0.0.1:${nginxPort}; root ${root}; ${locations} } }`,
  )
  const child = spawn(nginx, ['-p', root, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${nginxPort}`
  for (;;) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) break
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    name: 'nginx',
    url,
    pids: () => childrenOf(child.pid ?? 0),
    stop: () => void child.kill('SIGTERM'),
  }
}

async function startNode(root: string): Promise<Limit> {
  const files = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = join(root, request.url ?? '')
    const fd = files.get(path) ?? openSync(path, 'r')
    files.set(path, fd)
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const length = (to === '' ? statSync(path).size - 1 : Number(to)) - Number(from) + 1
    read(fd, Buffer.allocUnsafe(length), 0, length, Number(from), (_, bytes, buffer) =>
      response.writeHead(206, { 'content-length': bytes }).end(buffer.subarray(0, bytes)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    name: 'bare Node',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    // this process does nothing else meanwhile
    pids: () => [process.pid],
    stop: () => void server.close(),
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
