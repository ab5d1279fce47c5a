import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'

/** What is asked of a server: the paths one after the other, over so many connections, each waiting for its answer. */
export interface Load {
  url: string
  paths: string[]
  seconds: number
  connections?: number
  /** Not more than so many requests a second, all connections together. */
  ratePerSecond?: number
  method?: string
  headers?: Record<string, string>
}

export interface LoadResult {
  requests: number
  requestsPerSecond: number
  /** Milliseconds. */
  p50: number
  p95: number
  /** Of bodies, as sent. */
  bytesPerAnswer: number
  /** Answers by status. */
  statuses: Record<string, number>
}

/** Sends load from a process of its own, so that asking costs the asked nothing but the machine's other core. */
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

/** The load itself: as little HTTP as finds the end of an answer, so that the sender is faster than what it measures. */
async function run({
  url,
  paths,
  seconds,
  connections = 16,
  ratePerSecond = Infinity,
  method = 'GET',
  headers = {},
}: Load) {
  const { hostname, port, host } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const requests = paths.map((path) => Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`))
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
          // the head comes in one piece with the beginning of the body, or alone
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

  const sockets = await Promise.all(Array.from({ length: connections }, () => open(Number(port), hostname)))
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
    bytesPerAnswer: bodyBytes / durations.length,
    statuses,
  } satisfies LoadResult
}

function open(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket)).once('error', reject)
  })
}

if (process.argv[1] === import.meta.filename) {
  let input = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk
  process.stdout.write(JSON.stringify(await run(JSON.parse(input) as Load)))
}
