import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'

/** A load: the paths in turn, over a number of connections, each with one request at a time. */
export interface Load {
  url: string
  paths: string[]
  seconds: number
  connections?: number
  /** Limit of requests per second over all connections. */
  ratePerSecond?: number
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON with every request. */
  body?: object
  /** Each connection comes from a loopback address of its own, so that limits per address do not apply. */
  hasOwnAddresses?: boolean
}

export interface LoadResult {
  requests: number
  requestsPerSecond: number
  /** Milliseconds. */
  p50: number
  p95: number
  /** Of bodies, as sent. */
  bytesPerResponse: number
  /** Responses by status. */
  statuses: Record<string, number>
}

/** Sends load from a separate process, on the other core of the machine. */
export function send(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.once('error', reject).once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as LoadResult)
      else reject(new Error(`The load ended with ${code}`))
    })
    child.stdin.end(JSON.stringify(load))
  })
}

/** A minimal HTTP client that only finds the end of a response, so that it is faster than the server it measures. */
async function run({
  url,
  paths,
  seconds,
  connections = 16,
  ratePerSecond = Infinity,
  method = 'GET',
  headers = {},
  body,
  hasOwnAddresses = false,
}: Load) {
  const { hostname, port, host } = new URL(url)
  const json = body === undefined ? '' : JSON.stringify(body)
  const ofBody = body && { 'content-type': 'application/json', 'content-length': String(json.length) }
  const lines = Object.entries({ host, ...headers, ...ofBody }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const requests = paths.map((path) =>
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${json}`),
  )
  const durations: number[] = []
  const statuses: Record<string, number> = {}
  let [next, beganAt, endAt] = [0, 0, 0]
  let bodyBytes = 0

  const keepAsking = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let startedAt = 0
      let missing = -1
      let head = ''
      const ask = () => {
        startedAt = performance.now()
        if (startedAt >= endAt) return void socket.end(resolve)
        const earlyMs = beganAt + (next * 1000) / ratePerSecond - startedAt
        if (earlyMs > 0) return void setTimeout(ask, earlyMs)
        socket.write(requests[next++ % requests.length] ?? '')
      }
      socket.once('error', reject).on('data', (chunk) => {
        if (missing < 0) {
          head += chunk.toString('latin1', 0, Math.min(chunk.length, 4096))
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? []
          const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
          statuses[status] = (statuses[status] ?? 0) + 1
          bodyBytes += length
          // the headers arrive in one chunk, possibly with the start of the body
          missing = length - (chunk.length - (end + 4))
        } else {
          missing -= chunk.length
        }
        if (missing > 0) return
        missing = -1
        head = ''
        durations.push(performance.now() - startedAt)
        ask()
      })
      ask()
    })

  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, n) =>
      open(Number(port), hostname, hasOwnAddresses ? `127.0.${1 + (n >> 8)}.${n & 255}` : undefined),
    ),
  )
  beganAt = performance.now()
  endAt = beganAt + seconds * 1000
  await Promise.all(sockets.map(keepAsking))
  const tookSeconds = (performance.now() - beganAt) / 1000
  durations.sort((a, b) => a - b)
  const at = (share: number) => durations[Math.floor((durations.length - 1) * share)] ?? Number.NaN
  return {
    requests: durations.length,
    requestsPerSecond: durations.length / tookSeconds,
    p50: at(0.5),
    p95: at(0.95),
    bytesPerResponse: bodyBytes / durations.length,
    statuses,
  } satisfies LoadResult
}

function open(port: number, host: string, localAddress: string | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true, ...(localAddress ? { localAddress } : {}) }, () =>
      resolve(socket),
    ).once('error', reject)
  })
}

if (process.argv[1] === import.meta.filename) {
  let input = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk
  process.stdout.write(JSON.stringify(await run(JSON.parse(input) as Load)))
}
