import { spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Viewers of a live stream, in a process of their own. */
export interface Viewers {
  /** Base of the playlists: `http://host/media/live/id`. */
  base: string
  track: string
  /** Whether they load partial segments. */
  isClose?: boolean
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

/** Watches as players do: each waits at the playlists of picture and sound for the next part or chunk, and then loads that. */
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

async function run({ base, track, isClose = false, count, seconds }: Viewers): Promise<Watched> {
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  let failed = 0

  async function loadSegment(url: string, agent: Agent): Promise<void> {
    const askedAt = performance.now()
    const { status } = await load(url, agent)
    if (status === 200) times.push(performance.now() - askedAt)
    else failed += 1
  }

  async function follow(name: string, agent: Agent): Promise<void> {
    let query = ''
    let newest: string | undefined
    while (performance.now() < until) {
      const { status, body } = await load(
        `${base}/${name}/${isClose ? 'low-latency' : 'index'}.m3u8${query}`,
        agent,
      )
      const listed = isClose ? listChunks(body.toString()) : listSegments(body.toString())
      if (status !== 200 || listed.files.length === 0) {
        failed += 1
        await delay(500)
        continue
      }
      const known = newest === undefined ? -1 : listed.files.indexOf(newest)
      if (newest !== undefined)
        for (const file of listed.files.slice(known + 1)) await loadSegment(`${base}/${name}/${file}`, agent)
      newest = listed.files.at(-1)
      query = listed.next
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

/** Files in a playlist, and the directives for what comes next. */
interface Listed {
  files: string[]
  next: string
}

function listSegments(playlist: string): Listed {
  const files = playlist.match(/^\d+\.m4s$/gm) ?? []
  return { files, next: `?_HLS_msn=${Number.parseInt(files.at(-1) ?? '', 10) + 1}` }
}

function listChunks(playlist: string): Listed {
  const files = [...playlist.matchAll(/PART:.*URI="(\d+\.\d+\.m4s)"/g)].map(([, file = '']) => file)
  const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/.exec(playlist)?.[1] ?? 0)
  const segments = playlist.split('#EXTINF')
  const growing = segments.at(-1)?.match(/PART:/g) ?? []
  return {
    files,
    next: `?_HLS_msn=${skipped + segments.length - 1}&_HLS_part=${growing.length}&_HLS_skip=YES`,
  }
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
