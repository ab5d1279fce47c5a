import { availableParallelism } from 'node:os'
import type { Config } from '../context/config.ts'

/** Systems that distribute connections over the processes that listen on one port. */
const portSharers: NodeJS.Platform[] = ['linux', 'freebsd']

const mostWebProcesses = 4

/** Returns the number of processes per role, from the settings or the number of CPU cores. */
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

/** Connections of a process outside its pool: four for the queue, two for notifications, one for locks. */
const fixedConnections = 7
/** For migrations, commands and the like. */
const spareConnections = 15

/** Returns `max_connections` of the embedded PostgreSQL, whose default is 100. */
export function connectionsFor(
  { webs, workers }: { webs: number; workers: number },
  databasePoolMax: number,
  ingests = 0,
): number {
  return Math.max(100, (webs + workers + ingests) * (databasePoolMax + fixedConnections) + spareConnections)
}
