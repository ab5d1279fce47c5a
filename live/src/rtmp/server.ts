import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { Log } from '@kinora/platform/log.ts'
import { AddressLimits } from './address-limits.ts'
import { type Publish, serveConnection } from './connection.ts'

export type { MediaMessage, Publication, Publish } from './connection.ts'

/** Also those that have not finished the handshake of TLS. */
const MAX_CONNECTIONS = 500

export interface RtmpServer {
  port: number
  close(): Promise<void>
}

/** Listens for encoders: with `tls` as RTMPS. */
export async function listenForEncoders(
  { host, port, tls }: { host: string; port: number; tls?: TlsOptions | undefined },
  publish: Publish,
  log: Pick<Log, 'info' | 'debug'>,
): Promise<RtmpServer> {
  const limits = new AddressLimits()
  const sockets = new Set<Socket>()

  /** Counts a socket from the beginning, before the handshake of TLS. */
  const count = (socket: Socket) => {
    socket.on('error', () => undefined)
    const release = limits.open(socket.remoteAddress ?? '')
    if (!release) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.once('close', () => {
      sockets.delete(socket)
      release()
    })
  }
  const serve = async (socket: Socket) => {
    if (socket.destroyed) return
    socket.on('error', () => undefined)
    const address = socket.remoteAddress ?? ''
    const reason = await serveConnection(socket, address, publish)
    if (reason === 'key_unknown') limits.refuse(address)
    log.debug({ address, reason }, 'encoder disconnected')
  }
  const server: Server = tls ? createTlsServer({ ...tls, handshakeTimeout: 5000 }) : createServer()
  server.maxConnections = MAX_CONNECTIONS
  server.on('connection', count)
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => void serve(socket))
  // failures of TLS handshakes, and of accepting, after which others are accepted
  server.on('tlsClientError', () => undefined)
  server.on('error', (error) => log.info({ err: error }, 'encoders cannot connect'))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
