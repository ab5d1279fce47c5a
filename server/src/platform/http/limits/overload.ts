import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { addressKey, networkKey } from './client-address.ts'
import { answerOnSocket } from '../failures/answer-on-socket.ts'
import { hasBody } from '../bodies/receive-body.ts'

/** Asked by monitoring: they report the state of the process, also when it is busy. */
const alwaysAnswered = new Set(['/healthz', '/readyz', '/metrics'])

/** The share of all places for one address (an IPv4 address or an IPv6 /64), and for one provider's customer (an IPv6 /48). */
const shareOfAddress = 1 / 4
const shareOfNetwork = 1 / 2

/**
 * Answers at most `atOnce` requests at once, and receives as many bodies. More requests get 503 before any work is done
 * for them, so that memory stays bounded.
 *
 * A request whose body is still on its way takes no place among those that are answered, or a few slow senders would keep
 * everybody out. Where too many bodies are on their way, the address that sends most of them loses its latest one.
 */
export function shedOverload(app: FastifyInstance, atOnce: number): void {
  const running = new Running(atOnce)
  const receiving = new Receiving(atOnce)
  app.addHook('onRequest', async (request, reply) => {
    if (alwaysAnswered.has(request.url)) return
    if (hasBody(request)) {
      const leave = receiving.enter(request)
      reply.raw.once('close', leave)
      request.raw.once('end', leave)
    } else reply.raw.once('close', running.enter(request.ip))
  })
  // a body that is parsed before the handler runs has come by now; an upload is read by its handler
  app.addHook('preValidation', async (request, reply) => {
    if (!hasBody(request) || reply.raw.closed) return
    if (request.raw.complete) reply.raw.once('close', running.enter(request.ip))
    else request.raw.once('end', () => !reply.raw.closed && reply.raw.once('close', running.add(request.ip)))
  })
}

const overloaded = () =>
  new AppError('unavailable', 'The server is busy. Try again in a moment.', {
    retryAfterSeconds: 2,
  })

/** Requests that are being answered, by address and network. */
class Running {
  readonly #atOnce: number
  readonly #counts = new Map<string, number>()
  #total = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Returns a function that leaves again. Throws `unavailable` when there is no place. */
  enter(ip: string): () => void {
    const address = addressKey(ip)
    const network = networkKey(ip)
    const isFull =
      this.#total >= this.#atOnce ||
      this.#countOf(address) >= Math.ceil(this.#atOnce * shareOfAddress) ||
      this.#countOf(network) >= Math.ceil(this.#atOnce * shareOfNetwork)
    if (isFull) throw overloaded()
    return this.#add(address, network)
  }

  /** The same for a request that is past refusal. */
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

/** Requests whose body is on its way, by network. */
class Receiving {
  readonly #atOnce: number
  readonly #byNetwork = new Map<string, Set<FastifyRequest>>()
  #total = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Returns a function that leaves again. Throws `unavailable` when no other network has more requests here. */
  enter(request: FastifyRequest): () => void {
    const network = networkKey(request.ip)
    if (this.#total >= this.#atOnce) this.#evict(network)
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
    answerOnSocket(latest.raw.socket, overloaded(), latest.id)
  }

  #remove(network: string, request: FastifyRequest): void {
    const own = this.#byNetwork.get(network)
    if (!own?.delete(request)) return
    this.#total -= 1
    if (own.size === 0) this.#byNetwork.delete(network)
  }
}
