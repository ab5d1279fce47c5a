import { availableParallelism } from 'node:os'
import type { Config } from '../config.ts'

/** Systems that distribute connections over the processes that listen on one port. */
const portSharers: NodeJS.Platform[] = ['linux', 'freebsd']

const mostWebProcesses = 4

/** How many processes of each role to run: as the settings say, else by the cores of this machine. */
export function countProcesses(
  { webProcesses, workers }: Pick<Config, 'webProcesses' | 'workers'>,
  cores = availableParallelism(),
  platform = process.platform,
): { webs: number; workers: number } {
  const webs = webProcesses ?? Math.min(mostWebProcesses, Math.max(1, Math.floor(cores / 2)))
  return {
    webs: portSharers.includes(platform) ? webs : 1,
    workers: workers ?? Math.max(1, Math.floor(cores / 16)),
  }
}

/** Beside its pool, a process has four connections for the queue, two for notifications and one for locks. */
const fixedConnections = 7
/** For migrations, commands and the like. */
const spareConnections = 15

/** The connections that the embedded PostgreSQL has to accept; 100 are its own default. */
export function connectionsFor(
  { webs, workers }: { webs: number; workers: number },
  databasePoolMax: number,
): number {
  return Math.max(100, (webs + workers) * (databasePoolMax + fixedConnections) + spareConnections)
}
