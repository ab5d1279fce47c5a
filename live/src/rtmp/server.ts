import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { Log } from '@kinora/platform/log.ts'
import { type Publish, serveConnection } from './connection.ts'

export type { MediaMessage, Publication, Publish } from './connection.ts'

/** Connections of one address: an encoder that reconnects, and a household with several. */
const MAX_OF_ADDRESS = 8
const MAX_CONNECTIONS = 500
/** Refused keys of an address within a minute after which it has to wait. */
const MAX_REFUSED = 10
const REFUSED_MS = 60_000
const MAX_ADDRESSES = 10_000

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
  const open = new Map<string, number>()
  const refused = new Map<string, { count: number; until: number }>()
  const sockets = new Set<Socket>()

  const isBlocked = (address: string) => {
    const known = refused.get(address)
    if (!known || known.until < Date.now()) return false
    return known.count >= MAX_REFUSED
  }
  const countRefusal = (address: string) => {
    const known = refused.get(address)
    const isRecent = known !== undefined && known.until >= Date.now()
    if (refused.size >= MAX_ADDRESSES) refused.clear()
    refused.set(address, { count: (isRecent ? known.count : 0) + 1, until: Date.now() + REFUSED_MS })
  }
  const serve = async (socket: Socket, address: string) => {
    const reason = await serveConnection(socket, address, publish)
    if (reason === 'key_unknown') countRefusal(address)
    log.debug({ address, reason }, 'encoder disconnected')
  }
  const accept = (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = open.get(address) ?? 0
    socket.on('error', () => undefined)
    if (count >= MAX_OF_ADDRESS || sockets.size >= MAX_CONNECTIONS || isBlocked(address)) {
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.once('close', () => {
      sockets.delete(socket)
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    void serve(socket, address)
  }
  const server: Server = tls
    ? createTlsServer({ ...tls, handshakeTimeout: 5000 }, accept)
    : createServer(accept)
  // failures of TLS handshakes
  server.on('tlsClientError', () => undefined)
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
