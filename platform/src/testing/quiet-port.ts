import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Each parallel worker of Vitest or Playwright has its own range of ports, and so has the global setup. */
const lanes = 9
const portsPerLane = 650
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0)
/** Above 10080, which browsers refuse to open: https://fetch.spec.whatwg.org/#port-blocking */
const firstPort = 10_100 + portsPerLane * (worker % lanes)
const given = new Set<number>()

/**
 * A free port outside of the ephemeral range. An ephemeral port may be assigned to another program before it is bound,
 * or while its program is restarting. Each port is returned once.
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
