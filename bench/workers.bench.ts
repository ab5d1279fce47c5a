import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { childrenOf } from './processes.ts'
import { makeClip, startProduct, type Product } from './product.ts'
import { report } from './report.ts'
import { atLeast, round } from './segments/goals.ts'
import { untilIdle } from './segments/site.ts'

/**
 * Time until all renditions of one long video are encoded, by 1, 2, 4 and 8 workers. A control group gives each worker the
 * same part of a core, its ffmpeg included, so that eight simulated machines fit on two cores. Needs root on Linux.
 * `npm run bench -- workers 0.1 3600 1 8`: a part of a core, seconds of video, and numbers of workers.
 */
const [cores = 0.2, clipSeconds = 4096, ...numbers] = process.argv.slice(3).map(Number)
const GOAL = 0.9

const directory = mkdtempSync(join(tmpdir(), 'kinora-workers-'))
const short = join(directory, 'short.mp4')
const measured: { workers: number; seconds: number; beginning: number }[] = []
try {
  const clip = makeLongClip()
  for (const workers of numbers.length > 0 ? numbers : [1, 2, 4, 8]) {
    measured.push({ workers, ...(await prepare(clip, workers)) })
    console.log(measured.at(-1))
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
measured.sort((a, b) => a.workers - b.workers)
const [fewest] = measured
const rows = measured.map(({ workers, seconds, beginning }) => {
  const timesAsFast = fewest ? (fewest.seconds * fewest.workers) / seconds : Number.NaN
  return {
    workers,
    'prepared in, s': round(seconds, 1),
    'of this the beginning, s': round(beginning, 1),
    'times as fast': round(timesAsFast, 2),
    'of linear': round(timesAsFast / workers, 2),
  }
})
report('workers', { 'cores of each': cores, 'seconds of video': clipSeconds }, rows)
console.table([atLeast('most workers, relative to linear', GOAL, rows.at(-1)?.['of linear'] ?? Number.NaN)])

/** A video in 240p, which is cheap to decode, made by repeating ten seconds. */
function makeLongClip(): string {
  const long = join(directory, 'long.mp4')
  const sources = '-f lavfi -i testsrc2=s=426x240:r=6:d=10 -f lavfi -i sine=d=10:r=48000'
  makeClip(short, `${sources} -c:v libx264 -preset veryfast -pix_fmt yuv420p -g 24 -c:a aac`)
  makeClip(long, `-stream_loop ${Math.ceil(clipSeconds / 10) - 1} -i ${short} -c copy`)
  return long
}

/**
 * Returns the seconds from the start of the preparation to its end, and how many of them its beginning took. It starts one
 * to three seconds after the upload: a second is left to the first viewers, and workers look for delayed jobs every two seconds.
 */
async function prepare(clip: string, workers: number): Promise<{ seconds: number; beginning: number }> {
  const site = await startProduct({
    WORKERS: String(workers),
    PREPARE_POLICY: 'all',
    CACHE_MAX_DISK_PERCENT: '99',
    LOG_LEVEL: 'silent',
  })
  const client = new Client(site.databaseUrl)
  const groups: string[] = []
  try {
    await client.connect()
    const pids = await startedWorkers(site, client, workers)
    // the first video after a start takes longer, and is not measured
    await site.upload(short, 'first')
    await untilIdle(site)
    for (const pid of pids) groups.push(limit(pid))
    await site.upload(clip, `by ${workers}`)
    await untilIdle(site)
    const { rows: timings } = await client.query<{ seconds: number; beginning: number }>(
      `select extract(epoch from now() - started_on)::float8 as seconds,
         extract(epoch from completed_on - started_on)::float8 as beginning
       from pgboss.job where name = 'playback.prepare' order by created_on desc limit 1`,
    )
    return timings[0] ?? { seconds: Number.NaN, beginning: Number.NaN }
  } finally {
    await client.end()
    await site.stop()
    for (const group of groups) rmdirSync(group)
  }
}

/** Process ids of the workers, once all of them take jobs. */
async function startedWorkers({ pids }: Product, client: Client, workers: number): Promise<number[]> {
  for (;;) {
    const { rowCount } = await client.query('select from worker_processes')
    const started = childrenOf(pids.supervisor, 'worker')
    if (rowCount === workers && started.length === workers) return started
    await sleep(200)
  }
}

/** Limits the CPU of a process and its descendants. Returns the directory of their control group. */
function limit(pid: number): string {
  const isVersion1 = existsSync('/sys/fs/cgroup/cpu')
  const group = join('/sys/fs/cgroup', isVersion1 ? 'cpu' : '', `kinora-worker-${pid}`)
  mkdirSync(group)
  const [periodUs, quotaUs] = [100_000, Math.round(cores * 100_000)]
  // the largest weight: other programs of a busy machine must not take a part of the quota
  const settings = isVersion1
    ? { 'cpu.cfs_period_us': periodUs, 'cpu.cfs_quota_us': quotaUs, 'cpu.shares': 262_144 }
    : { 'cpu.max': `${quotaUs} ${periodUs}`, 'cpu.weight': 10_000 }
  for (const [file, value] of Object.entries(settings)) writeFileSync(join(group, file), String(value))
  const move = (each: number) => {
    writeFileSync(join(group, 'cgroup.procs'), String(each))
    for (const child of childrenOf(each)) move(child)
  }
  move(pid)
  return group
}
