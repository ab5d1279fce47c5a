import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How far a connection is: bytes that the system took from us, and for how many looks there were no more of them. */
interface Progress {
  sentBytes: number
  looks: number
}

const looksPerLimit = 4

/**
 * Ends connections whose visitor takes nothing of an answer for so long: each holds memory and a place among the
 * requests that are answered at once, and a few thousand would keep everybody else out. Players that only pause ask
 * anew for the rest.
 */
export function dropStalledReaders(app: FastifyInstance, idleSeconds: number): void {
  const open = new Map<Socket, Progress>()
  app.server.on('connection', (socket: Socket) => {
    open.set(socket, { sentBytes: 0, looks: 0 })
    socket.once('close', () => open.delete(socket))
  })
  const look = () => {
    for (const [socket, progress] of open) {
      const sentBytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || sentBytes > progress.sentBytes)
        open.set(socket, { sentBytes, looks: 0 })
      // counted in looks: a process that was busy itself does not hold that against anybody
      else if ((progress.looks += 1) > looksPerLimit) socket.destroy()
    }
  }
  const timer = setInterval(look, (idleSeconds * 1000) / looksPerLimit)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
