import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free port that no connection gets by itself: one that the system hands out may be somebody else's before it is listened
 * on, or again while its program is dead, even that of a connection to that very port.
 */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 15_900)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
