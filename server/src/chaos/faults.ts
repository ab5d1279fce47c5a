import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../demo/random.ts'
import { codeOf } from '../platform/errors.ts'
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
  strike(harm: Harm): Promise<void>
}

const stallMs = (random: Random) => 500 + random.below(2500)

async function freeze({ site, random }: Harm, part: 'web' | 'worker' | 'postgres' | 'ffmpeg'): Promise<void> {
  const parts = part === 'postgres' ? (['postgres', 'backend'] as const) : [part]
  for (const one of parts) site.signal(one, 'SIGSTOP')
  await delay(stallMs(random))
  for (const one of parts) site.signal(one, 'SIGCONT')
}

/** ffmpeg processes are short-lived: waits for one to kill. */
async function killFfmpeg({ site }: Harm): Promise<void> {
  for (let check = 0; check < 100; check += 1) {
    if (site.signal('ffmpeg', 'SIGKILL') > 0) return
    await delay(20)
  }
}

const faults: readonly Fault[] = [
  { name: 'web killed', weight: 12, strike: async ({ site }) => void site.signal('web', 'SIGKILL') },
  { name: 'worker killed', weight: 12, strike: async ({ site }) => void site.signal('worker', 'SIGKILL') },
  { name: 'ffmpeg killed', weight: 12, strike: killFfmpeg },
  {
    name: 'PostgreSQL killed',
    weight: 8,
    strike: async ({ site }) => void site.signal('postgres', 'SIGKILL'),
  },
  {
    name: 'a session of PostgreSQL killed',
    weight: 8,
    strike: async ({ site, random }) => {
      const sessions = site.processes('backend')
      if (sessions.length > 0) signal(random.pick(sessions), 'SIGKILL')
    },
  },
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
