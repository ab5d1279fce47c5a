import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../server/src/demo/random.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import { watchdogTimes } from '@kinora/platform/watchdog.ts'
import type { BreakingNetwork } from './proxy.ts'
import { signal, type VictimSite } from './site.ts'

interface Harm {
  site: VictimSite
  network: BreakingNetwork
  random: Random
}

/** A fault. It ends when its cause is removed; then the site must recover automatically. */
export interface Fault {
  name: string
  weight: number
  /** Whether it needs a separate disk that can be filled. */
  needsDisk?: boolean
  /** Time after which a watchdog notices it. Such faults are left out where each fault strikes once. */
  noticedAfterMs?: number
  strike(harm: Harm): Promise<void>
}

const stallMs = (random: Random) => 500 + random.below(2500)

async function freeze({ site, random }: Harm, part: 'web' | 'worker' | 'postgres' | 'ffmpeg'): Promise<void> {
  const parts = part === 'postgres' ? (['postgres', 'backend'] as const) : [part]
  for (const one of parts) site.signal(one, 'SIGSTOP')
  await delay(stallMs(random))
  for (const one of parts) site.signal(one, 'SIGCONT')
}

const { silentProcessMs, silentStartMs, silentDatabaseMs, databaseProbeMs, databaseProbeTimeoutMs, graceMs } =
  watchdogTimes
const processNoticedMs = silentProcessMs + 2 * graceMs
const databaseNoticedMs = silentDatabaseMs + 2 * (databaseProbeMs + databaseProbeTimeoutMs) + graceMs

async function kill({ site }: Harm, part: 'web' | 'worker' | 'postgres'): Promise<void> {
  for (const pid of await site.find(part)) signal(pid, 'SIGKILL')
}

async function killOne({ site, random }: Harm, part: 'backend' | 'auxiliary'): Promise<void> {
  signal(random.pick(await site.find(part)), 'SIGKILL')
}

/** Stops a process, or blocks its event loop, until the supervisor has ended it. */
async function silence({ site }: Harm, part: 'web' | 'worker', name: 'SIGSTOP' | 'SIGUSR2'): Promise<void> {
  const victims = await site.find(part)
  for (const pid of victims) signal(pid, name)
  // it may be starting, which the supervisor gives more time
  const deadline = performance.now() + 2 * (silentStartMs + 2 * graceMs)
  while (site.processes(part).some((pid) => victims.includes(pid))) {
    if (performance.now() > deadline) throw new Error(`A ${part} that does not respond was left alone`)
    await delay(100)
  }
}

/** Makes PostgreSQL recover, and kills or stops one of its processes at any moment of the recovery. */
async function disturbRecovery(harm: Harm, name: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  const { site, random } = harm
  await killOne(harm, 'backend')
  await delay(random.below(300))
  const startup = site.processes('startup')
  const others = site.processes('auxiliary')
  const victims = startup.length > 0 && random.below(2) === 0 ? startup : others
  if (victims.length > 0) signal(random.pick(victims), name)
}

/** ffmpeg processes are short-lived: waits for one to kill. */
async function killFfmpeg({ site }: Harm): Promise<void> {
  for (let check = 0; check < 100; check += 1) {
    if (site.signal('ffmpeg', 'SIGKILL') > 0) return
    await delay(20)
  }
}

const faults: readonly Fault[] = [
  { name: 'web killed', weight: 12, strike: (harm) => kill(harm, 'web') },
  { name: 'worker killed', weight: 12, strike: (harm) => kill(harm, 'worker') },
  { name: 'ffmpeg killed', weight: 12, strike: killFfmpeg },
  {
    name: 'PostgreSQL killed',
    weight: 8,
    strike: (harm) => kill(harm, 'postgres'),
  },
  {
    name: 'a session of PostgreSQL killed',
    weight: 8,
    strike: (harm) => killOne(harm, 'backend'),
  },
  {
    name: 'another process of PostgreSQL killed',
    weight: 4,
    strike: (harm) => killOne(harm, 'auxiliary'),
  },
  {
    name: 'recovery of PostgreSQL killed',
    weight: 3,
    noticedAfterMs: databaseNoticedMs,
    strike: (harm) => disturbRecovery(harm, 'SIGKILL'),
  },
  {
    name: 'recovery of PostgreSQL stopped',
    weight: 1,
    noticedAfterMs: databaseNoticedMs,
    strike: (harm) => disturbRecovery(harm, 'SIGSTOP'),
  },
  {
    name: 'PostgreSQL stopped for good',
    weight: 1,
    noticedAfterMs: databaseNoticedMs,
    strike: async ({ site }) => {
      for (const part of ['postgres', 'backend'] as const)
        for (const pid of await site.find(part)) signal(pid, 'SIGSTOP')
    },
  },
  ...(['web', 'worker'] as const).flatMap((part): Fault[] => [
    {
      name: `${part} stopped for good`,
      weight: 1,
      noticedAfterMs: processNoticedMs,
      strike: (harm) => silence(harm, part, 'SIGSTOP'),
    },
    {
      name: `event loop of ${part} blocked`,
      weight: 1,
      noticedAfterMs: processNoticedMs,
      strike: (harm) => silence(harm, part, 'SIGUSR2'),
    },
  ]),
  {
    name: 'PostgreSQL stopped',
    weight: 6,
    strike: async ({ site }) => void site.signal('postgres', 'SIGINT'),
  },
  { name: 'supervisor killed', weight: 5, strike: ({ site }) => site.crash(false) },
  { name: 'power cut', weight: 5, strike: ({ site }) => site.crash(true) },
  { name: 'web stalled', weight: 5, strike: (harm) => freeze(harm, 'web') },
  { name: 'worker stalled', weight: 5, strike: (harm) => freeze(harm, 'worker') },
  { name: 'ffmpeg stalled', weight: 3, strike: (harm) => freeze(harm, 'ffmpeg') },
  { name: 'PostgreSQL stalled', weight: 5, strike: (harm) => freeze(harm, 'postgres') },
  { name: 'connections broken', weight: 12, strike: async ({ network }) => network.cut() },
  {
    // simulates a lost network disk
    name: 'storage gone',
    weight: 8,
    strike: async ({ site, random }) => {
      site.takeStorage()
      await delay(stallMs(random))
      site.giveStorage()
    },
  },
  {
    name: 'clock set',
    weight: 6,
    // below the hour after which a received file counts as left behind
    strike: async ({ site, random }) => site.setClock((random.below(100) - 50) * 60_000),
  },
  {
    name: 'disk full',
    weight: 8,
    needsDisk: true,
    strike: async ({ site, random }) => {
      const ballast = join(site.dataDir, 'ballast')
      try {
        fill(ballast, random.below(200))
        await delay(stallMs(random))
      } finally {
        rmSync(ballast, { force: true })
      }
    },
  },
]

/** Leaves so many blocks of 4 KB free. */
function fill(file: string, blocks: number): void {
  const { bavail, bsize } = statfsSync(join(file, '..'))
  const chunk = Buffer.alloc(bsize * 256)
  try {
    for (let left = bavail - blocks; left > 0; left -= 256) {
      writeFileSync(file, chunk.subarray(0, Math.min(left, 256) * bsize), { flag: 'a' })
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error
  }
}

export function possibleFaults(hasDisk: boolean): Fault[] {
  return faults.filter(({ needsDisk }) => !needsDisk || hasDisk)
}

/** Picks a fault, weighted by likelihood. */
export function drawFault(random: Random, possible: readonly Fault[]): Fault {
  let at = random.below(possible.reduce((sum, { weight }) => sum + weight, 0))
  const drawn = possible.find(({ weight }) => (at -= weight) < 0)
  if (!drawn) throw new Error('There is no fault to draw')
  return drawn
}
