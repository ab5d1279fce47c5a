import { createServer, request as askUpstream, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

export interface Balancer {
  origin: string
  close(): Promise<void>
}

const pollEveryMs = 250
const pollTimeoutMs = 2000

/**
 * A reverse proxy: requests go to the web processes that are ready by `/readyz`, in turn, without sticky sessions. A request
 * that could not be sent is retried at the next one. One that was sent without a response is 502, because it may have
 * been processed.
 */
export async function startBalancer(upstreams: readonly number[]): Promise<Balancer> {
  let turn = 0
  const resting = new Set<number>()
  const next = () => {
    const ready = upstreams.filter((port) => !resting.has(port))
    // if none is ready, one may still respond
    const choice = ready.length > 0 ? ready : upstreams
    return choice[turn++ % choice.length]
  }
  const server = createServer((incoming, response) => hand(incoming, response, upstreams.length))
  function hand(incoming: IncomingMessage, reply: ServerResponse, left: number): void {
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' }
    const { method, url: path } = incoming
    const outgoing = askUpstream({ host: '127.0.0.1', port: next(), method, path, headers, agent: false })
    const isHandedOver = { yes: false }
    outgoing.once('socket', (socket) =>
      socket.once('connect', () => {
        isHandedOver.yes = true
        incoming.pipe(outgoing)
      }),
    )
    outgoing.on('response', (response) => {
      reply.writeHead(response.statusCode ?? 502, response.headers)
      response.on('error', () => reply.destroy())
      response.pipe(reply)
    })
    outgoing.on('error', () => {
      if (!isHandedOver.yes && left > 1) hand(incoming, reply, left - 1)
      else if (reply.headersSent) reply.destroy()
      else reply.writeHead(502, { 'retry-after': '1' }).end()
    })
    reply.on('close', () => outgoing.destroy())
  }
  const polling = upstreams.map((port) => setInterval(() => void checkReadiness(port), pollEveryMs))
  async function checkReadiness(port: number): Promise<void> {
    const signal = AbortSignal.timeout(pollTimeoutMs)
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined)
    await response?.text().catch(() => undefined)
    if (response?.ok) resting.delete(port)
    else resting.add(port)
  }
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const timer of polling) clearInterval(timer)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
