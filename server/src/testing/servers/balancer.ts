import { createServer, request as askUpstream, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

export interface Balancer {
  origin: string
  close(): Promise<void>
}

const lookEveryMs = 250
const lookTimeoutMs = 2000

/**
 * A proxy as operators put in front: each request goes to the next web process that is ready by `/readyz`, whoever sends
 * it. What could not be handed over goes to the one after; what was handed over and got no answer is 502, as nobody
 * knows how far it came.
 */
export async function startBalancer(upstreams: readonly number[]): Promise<Balancer> {
  let turn = 0
  const resting = new Set<number>()
  const next = () => {
    const ready = upstreams.filter((port) => !resting.has(port))
    // where none says that it is ready, one may still answer
    const choice = ready.length > 0 ? ready : upstreams
    return choice[turn++ % choice.length]
  }
  const server = createServer((incoming, answer) => hand(incoming, answer, upstreams.length))
  function hand(incoming: IncomingMessage, answer: ServerResponse, left: number): void {
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
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.on('error', () => answer.destroy())
      response.pipe(answer)
    })
    outgoing.on('error', () => {
      if (!isHandedOver.yes && left > 1) hand(incoming, answer, left - 1)
      else if (answer.headersSent) answer.destroy()
      else answer.writeHead(502, { 'retry-after': '1' }).end()
    })
    answer.on('close', () => outgoing.destroy())
  }
  const looking = upstreams.map((port) => setInterval(() => void look(port), lookEveryMs))
  async function look(port: number): Promise<void> {
    const signal = AbortSignal.timeout(lookTimeoutMs)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined)
    await answer?.text().catch(() => undefined)
    if (answer?.ok) resting.delete(port)
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
      for (const timer of looking) clearInterval(timer)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
