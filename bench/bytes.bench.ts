import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, openSync, read, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { send } from './load.ts'
import { childrenOf, cpuSeconds } from './processes.ts'
import { makeClip, startProduct } from './product.ts'
import { round } from './reads.ts'
import { report, type Row } from './report.ts'

/** What do the bytes of a video cost, beside nginx with sendfile (or, where there is none, a bare Node server)? */
const seconds = 4

const directory = mkdtempSync(join(tmpdir(), 'kinora-bytes-'))
chmodSync(directory, 0o755)
const product = await startProduct({ PREPARE_POLICY: 'none' })
try {
  const film = join(directory, 'film.mp4')
  const codecs =
    '-c:v libx264 -preset ultrafast -b:v 30M -minrate 30M -maxrate 30M -bufsize 30M -pix_fmt yuv420p -c:a aac'
  const noise = 'testsrc2=s=1280x720:r=24:d=20,noise=alls=40:allf=t'
  makeClip(film, `-f lavfi -i ${noise} -f lavfi -i sine=d=20 ${codecs} -movflags +faststart`)
  const { video } = await product.upload(film, 'Bytes')
  const picture = join(directory, 'picture.webp')
  writeFileSync(picture, Buffer.from(await (await fetch(product.url + video.thumbnail)).arrayBuffer()))

  const limit = await startLimit(directory)
  const rows: Row[] = []
  const compare = async (what: string, path: string, file: string, range?: string) => {
    const headers: Record<string, string> = range ? { range } : {}
    const measure = async (url: string, asked: string, cpu: () => number) => {
      const load = { url, paths: [asked], headers, seconds, connections: 8 }
      await send({ ...load, seconds: 1 })
      const before = cpu()
      const result = await send(load)
      const cpuMs = ((cpu() - before) * 1000) / result.requests
      return { cpuMs, ...result }
    }
    const kinora = await measure(product.url, path, () => cpuSeconds([product.pids.web]))
    const other = await measure(limit.url, `/${file}`, () => cpuSeconds(limit.pids()))
    rows.push({
      what,
      'CPU ms': round(kinora.cpuMs, 3),
      [`${limit.name}, CPU ms`]: round(other.cpuMs, 3),
      'its CPU / ours': round(other.cpuMs / kinora.cpuMs, 2),
      'MB/s': Math.round((kinora.requestsPerSecond * kinora.bytesPerAnswer) / 1e6),
      [`${limit.name}, MB/s`]: Math.round((other.requestsPerSecond * other.bytesPerAnswer) / 1e6),
      'requests/s': Math.round(kinora.requestsPerSecond),
      [`${limit.name}, requests/s`]: Math.round(other.requestsPerSecond),
      bytes: Math.round(kinora.bytesPerAnswer),
    })
  }
  const size = statSync(film).size
  const middle = Math.floor(size / 2)
  await compare('1 MiB of a source', video.videoFile, 'film.mp4', `bytes=${middle}-${middle + 2 ** 20 - 1}`)
  await compare('64 KiB of a source', video.videoFile, 'film.mp4', `bytes=${middle}-${middle + 2 ** 16 - 1}`)
  await compare('a thumbnail', video.thumbnail, 'picture.webp')
  limit.stop()
  report('bytes', { limit: limit.name }, rows)
} finally {
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
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

async function startNginx(nginx: string, root: string): Promise<Limit> {
  const port = await freePort()
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
      server { listen 127.0.0.1:${port}; root ${root}; } }`,
  )
  const child = spawn(nginx, ['-p', root, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
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
    stop: () => child.kill('SIGTERM'),
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
