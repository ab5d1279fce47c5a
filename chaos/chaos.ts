import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { Random } from '../server/src/demo/random.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { ChaosUser } from './clients.ts'
import { drawFault, possibleFaults } from './faults.ts'
import { Ledger } from './ledger.ts'
import { BreakingNetwork } from './proxy.ts'
import { mountSmallDisk, VictimSite } from './site.ts'
import { judge } from './verdict.ts'

export interface ChaosOptions {
  seed: string
  /** How many, drawn by their weight; or each of them once. */
  faults: number | 'each'
  /** Longest pause between one fault and the next. */
  pauseMs?: number
  /** Time limit of recovery after a fault. */
  backWithinMs?: number
  /** No fault starts after this time. */
  maxSeconds?: number
  report?: (sentence: string) => void
}

export interface ChaosReport {
  seed: string
  seconds: number
  /** Per fault: count, longest and median recovery time. */
  faults: { name: string; times: number; middleMs: number; longestMs: number }[]
  /** Requests by method and status. */
  responses: Record<string, number>
  promised: { videos: number; deletions: number; comments: number; likes: number; subscriptions: number }
  /** Faults that this machine does not allow. */
  skipped: string[]
  /** Violations of confirmed results. */
  violations: string[]
  /** The end of the site's log. */
  log: string
}

const diskMegabytes = 900

/**
 * Runs a whole site with clients, injects faults, and compares the result with what the site confirmed to clients. The seed fixes
 * the actions and the order of faults, but not their timing.
 */
export async function runChaos({
  seed,
  faults,
  pauseMs = 1500,
  backWithinMs = 30_000,
  maxSeconds = Number.POSITIVE_INFINITY,
  report = () => undefined,
}: ChaosOptions): Promise<ChaosReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinora-chaos-'))
  const unmount = mountSmallDisk(dataDir, diskMegabytes)
  const ledger = new Ledger()
  const random = new Random(seed)
  const site = await VictimSite.prepare(dataDir)
  const network = new BreakingNetwork(site.port, new Random(`${seed} network`))
  const startedAt = performance.now()
  const away = new Map<string, number[]>()
  try {
    await site.start()
    const origin = await network.open()
    const users = await gather(origin, site.origin, ledger, seed)
    let isOver = false
    const lives = users.map((user) => user.live(() => isOver, 120 * availableParallelism()))
    await delay(1500)
    const possible = possibleFaults(unmount !== undefined)
    const quick = possible.filter(({ noticedAfterMs }) => noticedAfterMs === undefined)
    const drawn = faults === 'each' ? random.some(quick, quick.length) : undefined
    const total = drawn?.length ?? Number(faults)
    for (let count = 0; count < total && performance.now() - startedAt < maxSeconds * 1000; count += 1) {
      const fault = drawn?.[count] ?? drawFault(random, possible)
      // timing must not affect the random sequence
      await fault
        .strike({ site, network, random: new Random(`${seed} fault ${count}`) })
        .catch((error: unknown) => ledger.violations.push(`"${fault.name}": ${inspect(error)}`))
      const limitMs = backWithinMs + (fault.noticedAfterMs ?? 0)
      const backMs = await site.untilUp(2 * limitMs)
      report(
        `${count + 1} ${fault.name}: back after ${backMs === undefined ? 'never' : `${Math.round(backMs)} ms`}`,
      )
      if (backMs === undefined || backMs > limitMs) {
        ledger.violations.push(`after "${fault.name}" the site was away for more than ${limitMs / 1000} s`)
      }
      away.set(fault.name, [...(away.get(fault.name) ?? []), backMs ?? Number.POSITIVE_INFINITY])
      if (backMs === undefined) break
      await delay(200 + random.below(pauseMs))
    }
    isOver = true
    await Promise.all(lives)
    report('judging')
    await judge(site, ledger).catch((error: unknown) => {
      ledger.violations.push(`the site cannot be judged: ${inspect(error)}`)
    })
  } finally {
    await network.close()
    await site.stop()
    unmount?.()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
  return {
    seed,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    faults: [...away]
      .map(([name, times]) => ({ name, ...summary(times) }))
      .toSorted((a, b) => b.times - a.times),
    responses: Object.fromEntries([...ledger.responses].toSorted(([a], [b]) => a.localeCompare(b))),
    promised: {
      videos: ledger.videos.size,
      deletions: [...ledger.videos.values()].filter(({ existence }) => existence === 'no').length,
      comments: ledger.comments.size,
      likes: ledger.videoLikes.size + ledger.commentLikes.size,
      subscriptions: ledger.subscriptions.size,
    },
    skipped: unmount ? [] : ['disk full: only root can mount a small disk'],
    violations: ledger.violations,
    log: site.output,
  }
}

function summary(times: number[]): { times: number; middleMs: number; longestMs: number } {
  const sorted = times.toSorted((a, b) => a - b).map(Math.round)
  return {
    times: times.length,
    middleMs: sorted[Math.floor(times.length / 2)] ?? 0,
    longestMs: sorted.at(-1) ?? 0,
  }
}

/** Creates six clients, which register without faults and then use the faulty proxy. */
async function gather(
  origin: string,
  safeOrigin: string,
  ledger: Ledger,
  seed: string,
): Promise<ChaosUser[]> {
  const clips = [await drawClip('mp4'), await drawClip('webm')]
  const names = ['ada', 'bo', 'cleo', 'dan', 'eve', 'finn']
  const users: ChaosUser[] = []
  for (const name of names) {
    await new ChaosUser(name, safeOrigin, ledger, new Random(name), clips).signUp()
    const user = new ChaosUser(name, origin, ledger, new Random(`${seed} ${name}`), clips)
    await user.signIn()
    users.push(user)
  }
  return users
}
