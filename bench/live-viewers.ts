import { spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Viewers of a live stream, in a process of their own. */
export interface Viewers {
  /** Base of the playlists: `http://host/media/live/id`. */
  base: string
  track: string
  count: number
  seconds: number
}

export interface Watched {
  segments: number
  /** Responses that were no success. */
  failed: number
  /** Median milliseconds from the request of a segment to its last byte. */
  segmentMs: number
}

/** Watches as players do: each waits at the playlists of picture and sound for the next part, and then loads that. */
export function watch(viewers: Viewers): Promise<Watched> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.once('error', reject).once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as Watched)
      else reject(new Error(`The viewers ended with ${code}`))
    })
    child.stdin.end(JSON.stringify(viewers))
  })
}

async function run({ base, track, count, seconds }: Viewers): Promise<Watched> {
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  let failed = 0

  async function follow(name: string, agent: Agent): Promise<void> {
    let next: number | undefined
    while (performance.now() < until) {
      const query = next === undefined ? '' : `?_HLS_msn=${next}`
      const { status, body } = await load(`${base}/${name}/index.m3u8${query}`, agent)
      const files = [...body.toString().matchAll(/^(\d+)\.m4s$/gm)].map(([, file]) => Number(file))
      const newest = files.at(-1)
      if (status !== 200 || newest === undefined) {
        failed += 1
        await delay(500)
        continue
      }
      if (next !== undefined && newest >= next) {
        const askedAt = performance.now()
        const segment = await load(`${base}/${name}/${newest}.m4s`, agent)
        if (segment.status === 200) times.push(performance.now() - askedAt)
        else failed += 1
      }
      next = newest + 1
    }
  }

  await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      // limits are per address
      const localAddress = `127.0.${1 + Math.floor(i / 200)}.${1 + (i % 200)}`
      const agent = new Agent({ keepAlive: true, localAddress })
      await delay((i % 40) * 50)
      await Promise.all([follow(track, agent), follow('audio-0', agent)])
      agent.destroy()
    }),
  )
  const sorted = times.toSorted((a, b) => a - b)
  return { segments: times.length, failed, segmentMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN }
}

function load(url: string, agent: Agent): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
    }).once('error', reject)
  })
}

if (process.argv[1] === import.meta.filename) {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  process.stdout.write(JSON.stringify(await run(JSON.parse(Buffer.concat(chunks).toString()) as Viewers)))
}
