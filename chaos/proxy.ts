import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Random } from '../server/src/demo/random.ts'

/** A TCP proxy between clients and site that injects network faults. */
export class BreakingNetwork {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #port: number
  readonly #random: Random

  /** Connections go to `port` of this machine. */
  constructor(port: number, random: Random) {
    this.#port = port
    this.#random = random
    this.#server = createServer((near) => this.#carry(near))
  }

  async open(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }

  #carry(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  }

  /** Breaks about half of the connections, in the middle of whatever they carry. */
  cut(): void {
    for (const socket of this.#sockets) if (this.#random.next() < 0.5) socket.resetAndDestroy()
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
