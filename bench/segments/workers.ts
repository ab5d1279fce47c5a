import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Product } from '../product.ts'
import { clip } from './clips.ts'
import { atLeast, type Part, round } from './goals.ts'
import { untilIdle, withSite } from './site.ts'

const CLIP_SECONDS = 192
const GOAL = 1.8

/**
 * Time to prepare one long video with one worker and with two. A worker uses all cores, so each is pinned to one core to
 * simulate separate machines.
 */
export const measureWorkers: Part = async () => {
  const oneOnOneCore = await prepare([[0]])
  const twoOnOneCoreEach = await prepare([[0], [1]])
  const oneOnTwoCores = await prepare([[0, 1]])
  const row = (workers: number, cores: string, seconds: number) => ({
    workers,
    'cores of each': cores,
    'made in, s': round(seconds, 1),
    'seconds of clip each second': round(CLIP_SECONDS / seconds, 1),
    'times as fast': round(oneOnOneCore / seconds, 2),
  })
  return {
    rows: [row(1, '1', oneOnOneCore), row(2, '1', twoOnOneCoreEach), row(1, '2', oneOnTwoCores)],
    goals: [
      atLeast(
        'two workers with a core each, times as fast as one',
        GOAL,
        round(oneOnOneCore / twoOnOneCoreEach, 2),
      ),
    ],
  }
}

/** Returns the seconds of preparing a clip with one worker for each list of cores. */
function prepare(cores: number[][]): Promise<number> {
  return withSite('all', async (site) => {
    const [own = [], ...others] = cores
    execFileSync('taskset', ['-a', '-p', '-c', own.join(','), String(site.pids.worker)])
    const started = others.map((list) => startWorker(site, list))
    try {
      const { respondedAt } = await site.upload(clip('small.mp4', CLIP_SECONDS), `by ${cores.length}`)
      await untilIdle(site)
      return (performance.now() - respondedAt) / 1000
    } finally {
      for (const worker of started) worker.kill('SIGTERM')
    }
  })
}

/** Starts another worker process of a site on the given cores. */
function startWorker({ databaseUrl, dataDir }: Product, cores: number[]): ChildProcess {
  const program = join(import.meta.dirname, '../../server/src/bin/worker.ts')
  return spawn('taskset', ['-c', cores.join(','), process.execPath, program], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      PREPARE_POLICY: 'all',
      CACHE_MAX_DISK_PERCENT: '99',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
