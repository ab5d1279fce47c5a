import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Bytes that the system accepted, and the number of checks since the last progress. */
interface Progress {
  sentBytes: number
  checks: number
}

/** Checks in `idleSeconds`. */
const checksPerLimit = 4

/**
 * Closes connections that stop reading a response for `idleSeconds`. Each one uses memory and counts as a running
 * request, so a few thousand would block everybody else. Paused players request the rest again.
 */
export function dropStalledReaders(app: FastifyInstance, idleSeconds: number): void {
  const open = new Map<Socket, Progress>()
  app.server.on('connection', (socket: Socket) => {
    open.set(socket, { sentBytes: 0, checks: 0 })
    socket.once('close', () => open.delete(socket))
  })
  const check = () => {
    for (const [socket, progress] of open) {
      const sentBytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || sentBytes > progress.sentBytes)
        open.set(socket, { sentBytes, checks: 0 })
      // counts checks instead of time, so that a blocked event loop does not close connections
      else if ((progress.checks += 1) > checksPerLimit) socket.destroy()
    }
  }
  const timer = setInterval(check, (idleSeconds * 1000) / checksPerLimit)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
