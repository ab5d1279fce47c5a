import type { ServerResponse } from 'node:http'
import { errors } from '@kinora/contract/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { addressKey, networkKey } from '../../client-address.ts'
import { respondOnSocket } from '../failures/respond-on-socket.ts'
import { hasBody } from '../bodies/receive-body.ts'

/** Requests of monitoring systems are served under overload, too. */
const exemptPaths = new Set(['/healthz', '/readyz', '/metrics'])

/** Shares of the limit for one client (IPv4 address or IPv6 /64) and one network (IPv6 /48). */
const sharesOfRunning = { address: 1 / 4, network: 1 / 2 }
/** Many tabs of an office or a school stay open behind one address. */
const sharesOfHeld = { address: 1 / 2, network: 3 / 4 }

const toHold = new WeakMap<ServerResponse, () => void>()

/**
 * Counts a response as held open instead of as running: an event stream, which waits for most of its time and has places
 * of its own. Throws `unavailable` if all are taken.
 */
export function holdOpen(response: ServerResponse): void {
  toHold.get(response)?.()
}

/**
 * Load shedding: handles at most `maxConcurrent` requests, and receives as many bodies, at a time. More requests get 503
 * before any work is done for them, so that memory stays bounded.
 *
 * A request does not count as running while its body is arriving, or a few slow clients would block everybody. When too
 * many bodies are arriving, the latest one of the network with the most is rejected.
 */
export function shedOverload(app: FastifyInstance, maxConcurrent: number): void {
  const running = new Running(maxConcurrent, sharesOfRunning)
  const held = new Running(maxConcurrent, sharesOfHeld)
  const receiving = new Receiving(maxConcurrent)
  app.addHook('onRequest', async (request, reply) => {
    if (exemptPaths.has(request.url)) return
    if (hasBody(request)) {
      const leave = receiving.enter(request)
      reply.raw.once('close', leave)
      request.raw.once('end', leave)
    } else {
      let leave = running.enter(request.ip)
      reply.raw.once('close', () => leave())
      toHold.set(reply.raw, () => {
        const leaveHeld = held.enter(request.ip)
        leave()
        leave = leaveHeld
      })
    }
  })
  // parsed bodies are complete by now; uploads are read by their handlers
  app.addHook('preValidation', async (request, reply) => {
    if (!hasBody(request) || reply.raw.closed) return
    if (request.raw.complete) reply.raw.once('close', running.enter(request.ip))
    else request.raw.once('end', () => !reply.raw.closed && reply.raw.once('close', running.add(request.ip)))
  })
}

const overloaded = () =>
  new AppError(errors.serverBusy, {
    retryAfterSeconds: 2,
  })

/** Counts running requests by client and network. */
class Running {
  readonly #maxConcurrent: number
  readonly #shares: { address: number; network: number }
  readonly #counts = new Map<string, number>()
  #total = 0

  constructor(maxConcurrent: number, shares: { address: number; network: number }) {
    this.#maxConcurrent = maxConcurrent
    this.#shares = shares
  }

  /** Returns the function that leaves again. Throws `unavailable` if a limit is reached. */
  enter(ip: string): () => void {
    const address = addressKey(ip)
    const network = networkKey(ip)
    const isFull =
      this.#total >= this.#maxConcurrent ||
      this.#countOf(address) >= Math.ceil(this.#maxConcurrent * this.#shares.address) ||
      this.#countOf(network) >= Math.ceil(this.#maxConcurrent * this.#shares.network)
    if (isFull) throw overloaded()
    return this.#add(address, network)
  }

  /** Enters without a limit: the request was accepted before its body arrived. */
  add(ip: string): () => void {
    return this.#add(addressKey(ip), networkKey(ip))
  }

  #add(address: string, network: string): () => void {
    this.#change(address, network, 1)
    return () => this.#change(address, network, -1)
  }

  #change(address: string, network: string, by: 1 | -1): void {
    this.#total += by
    this.#changeKey(address, by)
    if (network !== address) this.#changeKey(network, by)
  }

  #changeKey(key: string, by: 1 | -1): void {
    const count = this.#countOf(key) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0
  }
}

/** Requests whose body is arriving, by network. */
class Receiving {
  readonly #maxConcurrent: number
  readonly #byNetwork = new Map<string, Set<FastifyRequest>>()
  #total = 0

  constructor(maxConcurrent: number) {
    this.#maxConcurrent = maxConcurrent
  }

  /** Returns the function that leaves again. Throws `unavailable` if the limit is reached and no other network has more requests. */
  enter(request: FastifyRequest): () => void {
    const network = networkKey(request.ip)
    if (this.#total >= this.#maxConcurrent) this.#evict(network)
    const own = this.#byNetwork.get(network) ?? new Set()
    this.#byNetwork.set(network, own.add(request))
    this.#total += 1
    return () => this.#remove(network, request)
  }

  #evict(newcomer: string): void {
    let largest = { network: newcomer, requests: this.#byNetwork.get(newcomer) ?? new Set() }
    for (const [network, requests] of this.#byNetwork)
      if (requests.size > largest.requests.size) largest = { network, requests }
    const latest = [...largest.requests].at(-1)
    if (largest.network === newcomer || !latest) throw overloaded()
    this.#remove(largest.network, latest)
    respondOnSocket(latest.raw.socket, overloaded(), latest.id)
  }

  #remove(network: string, request: FastifyRequest): void {
    const own = this.#byNetwork.get(network)
    if (!own?.delete(request)) return
    this.#total -= 1
    if (own.size === 0) this.#byNetwork.delete(network)
  }
}
