import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Files that run side by side have ports of their own, and so has what is set up for all of them. */
const lanes = 9
const portsPerLane = 650
const firstPort = 10_000 + portsPerLane * (Number(process.env.VITEST_POOL_ID ?? 0) % lanes)
const given = new Set<number>()

/**
 * A free port that no connection gets by itself: one that the system hands out may be somebody else's before it is listened
 * on, or again while its program is dead, even that of a connection to that very port. Nobody gets it twice.
 */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = firstPort + randomInt(portsPerLane)
    if (given.has(port)) continue
    given.add(port)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
