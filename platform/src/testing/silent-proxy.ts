import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SilentProxy extends Disposable {
  /** The address of the server with that of the proxy in it. */
  url: string
  /** Open connections to the proxy. */
  connections: ReadonlySet<Socket>
  /** Swallows all bytes of the connections that are open, in both directions, without closing them. */
  goSilent(): void
}

/** Forwards connections to the server of a URL, until it goes silent like a network that drops packets after a failover. */
export async function startSilentProxy(to: string, port = 0): Promise<SilentProxy> {
  const url = new URL(to)
  const { hostname, port: serverPort } = url
  const connections = new Set<Socket>()
  const silenced = new WeakSet<Socket>()
  const server = createServer((socket) => {
    const onward = connect(Number(serverPort), hostname)
    connections.add(socket)
    const isSilent = () => silenced.has(socket)
    for (const [from, peer] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on('data', (bytes) => void (isSilent() || peer.write(bytes)))
      from.on('error', () => undefined)
      from.on('close', () => void (isSilent() || peer.destroy()))
    }
    socket.once('close', () => connections.delete(socket))
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    connections,
    goSilent: () => {
      for (const socket of connections) silenced.add(socket)
    },
    [Symbol.dispose]: () => {
      server.close()
      for (const socket of connections) socket.destroy()
    },
  }
}
