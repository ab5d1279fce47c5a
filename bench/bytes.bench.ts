import { chmodSync, mkdirSync, mkdtempSync, openSync, read, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { documentedNginx } from '../server/src/testing/servers/documented-nginx.ts'
import { send } from './load.ts'
import { hasNginx, startNginx } from './nginx.ts'
import { childrenOf, cpuSeconds } from './processes.ts'
import { makeClip, startProduct } from './product.ts'
import { round } from './reads.ts'
import { report, type Row } from './report.ts'

/**
 * CPU cost of sending media: by Kinora, by nginx in front of it (docs/operations/proxy-and-tls.md), by nginx alone with
 * sendfile, and by a bare Node server with one read and one write per response.
 */
const seconds = 3

/** A server under test. */
interface Sender {
  url: string
  pids(): number[]
  stop(): void
}

interface Cost {
  cpuMs: number
  requestsPerSecond: number
  bytesPerResponse: number
}

const directory = mkdtempSync(join(tmpdir(), 'kinora-bytes-'))
chmodSync(directory, 0o755)
const clip = join(directory, 'clip.mp4')
const still = join(directory, 'still.png')
const codecs =
  '-c:v libx264 -preset ultrafast -b:v 30M -minrate 30M -maxrate 30M -bufsize 30M -pix_fmt yuv420p -c:a aac'
const noise = 'testsrc2=s=1280x720:r=24:d=8,noise=alls=40:allf=t'
makeClip(clip, `-f lavfi -i ${noise} -f lavfi -i sine=d=8 ${codecs} -movflags +faststart`)
makeClip(still, '-f lavfi -i testsrc2=s=1280x720 -frames:v 1')

const senders: Sender[] = []
const product = await startProduct({ PREPARE_POLICY: 'none' })
try {
  // nginx runs as another user, who must be able to read the files
  chmodSync(product.dataDir, 0o755)
  const { video } = await product.upload(clip, 'Bytes', still)
  // background preparation uses CPU and may replace segments that were encoded on demand
  await product.untilPrepared(video._id)
  const segment = `/media/videos/${video._id}/${SEGMENT_FORMAT}/480/1.m4s`
  const paths = { source: video.videoFile, segment, thumbnail: video.thumbnail }
  const sizes: Record<string, number> = {}
  // the same files for servers without Kinora's headers
  const files = join(directory, 'files')
  mkdirSync(files)
  for (const [what, path] of Object.entries(paths)) {
    const response = await fetch(product.url + path)
    if (!response.ok) throw new Error(`${path} returned ${response.status}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    writeFileSync(join(files, nameOf(path)), bytes)
    sizes[what] = bytes.length
  }

  const kinora: Sender = { url: product.url, pids: () => [product.pids.web], stop: () => undefined }
  const node = await startNode(files)
  senders.push(node)
  const ways: [who: string, sender: Sender, isKinora: boolean][] = [
    ['Kinora', kinora, true],
    ['bare Node', node, false],
  ]
  if (hasNginx()) {
    const front = await startSender('front', async ({ port, directory: own }) =>
      documentedNginx({ port, origin: product.url, dataDir: product.dataDir, directory: own, use: 'files' }),
    )
    const alone = await startSender('alone', async ({ port, directory: own }) => plainNginx(port, own, files))
    senders.push(front, alone)
    const both = { ...front, pids: () => [...front.pids(), product.pids.web] }
    ways.push(['nginx in front of Kinora', both, true], ['nginx alone', alone, false])
  }

  const middle = Math.floor(statSync(clip).size / 2)
  const part = (bytes: number) => ({ range: `bytes=${middle}-${middle + bytes - 1}` })
  const questions: [what: string, path: string, headers: Record<string, string>][] = [
    ['1 MiB of a source', paths.source, part(2 ** 20)],
    ['64 KiB of a source', paths.source, part(2 ** 16)],
    ['a made segment', paths.segment, {}],
    ['a thumbnail', paths.thumbnail, {}],
  ]
  const rows: Row[] = []
  for (const [what, path, headers] of questions) {
    const costs: ({ who: string } & Cost)[] = []
    for (const [who, sender, isKinora] of ways) {
      const asked = isKinora ? path : `/${nameOf(path)}`
      costs.push({ who, ...(await measure(sender, asked, headers)) })
    }
    const costOf = (who: string) => costs.find((cost) => cost.who === who)?.cpuMs ?? Number.NaN
    for (const { who, cpuMs, requestsPerSecond, bytesPerResponse } of costs) {
      rows.push({
        what,
        'sent by': who,
        'CPU ms': round(cpuMs, 3),
        'CPU of nginx alone / its own': round(costOf('nginx alone') / cpuMs, 2),
        'CPU of bare Node / its own': round(costOf('bare Node') / cpuMs, 2),
        'requests/s': Math.round(requestsPerSecond),
        'MB/s': Math.round((requestsPerSecond * bytesPerResponse) / 1e6),
        bytes: Math.round(bytesPerResponse),
      })
    }
  }
  report('bytes', { seconds }, rows)
} finally {
  for (const sender of senders) sender.stop()
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

function nameOf(path: string): string {
  return path.replaceAll('/', '_')
}

async function measure({ url, pids }: Sender, path: string, headers: Record<string, string>): Promise<Cost> {
  const load = { url, paths: [path], headers, seconds, connections: 8 }
  await send({ ...load, seconds: 1 })
  const before = cpuSeconds(pids())
  const result = await send(load)
  const others = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '206')
  if (others.length > 0) throw new Error(`${path} returned ${others.join(', ')}`)
  return { ...result, cpuMs: ((cpuSeconds(pids()) - before) * 1000) / result.requests }
}

async function startSender(
  name: string,
  configure: (place: { port: number; directory: string }) => Promise<string>,
): Promise<Sender> {
  const own = join(directory, name)
  mkdirSync(own)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startNginx(own, url, await configure({ port, directory: own }))
  return { url, pids: () => childrenOf(child.pid ?? 0), stop: () => void child.kill('SIGTERM') }
}

/**
 * nginx configuration for static files. Without `tcp_nopush`: on the loopback interface, whose packets hold 64 KiB, it
 * delays slightly larger responses by 40 ms (delayed acknowledgement).
 */
function plainNginx(port: number, own: string, root: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  )
  return `daemon off; worker_processes 1; pid ${own}/nginx.pid; error_log ${own}/error.log;
    events { worker_connections 512; }
    http { access_log off; sendfile on; open_file_cache max=100; keepalive_requests 10000000;
      ${temporary.join(' ')}
      server { listen 127.0.0.1:${port}; root ${root}; } }`
}

async function startNode(root: string): Promise<Sender> {
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
