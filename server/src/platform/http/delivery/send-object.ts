import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Storage } from '../../storage/storage.ts'
import { FileSender, type MediaHeaders, startAnswer } from './send-file.ts'

export interface ObjectHeaders extends MediaHeaders {
  /** An object that goes at times, to be made again: no browser may remember where it was. */
  isPassing?: boolean
  /** Browsers take it from the page's own site alone: they are sent nowhere. */
  staysHere?: boolean
}

/** How long browsers remember where an object is; the addresses hold for longer. */
const rememberedSeconds = 3600

/**
 * Sends objects by byte ranges. Files of this machine cost little more than the reading; what is in an object store is
 * passed on as it comes, or browsers are sent there.
 */
export class ObjectSender {
  readonly #storage: Storage
  readonly #delivery: 'stream' | 'redirect'
  readonly #files = new FileSender()

  constructor(storage: Storage, delivery: 'stream' | 'redirect') {
    this.#storage = storage
    this.#delivery = delivery
  }

  /** Answers the request with the object; false, and nothing is answered, when there is no such object. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    headers: ObjectHeaders,
  ): Promise<boolean> {
    const path = this.#storage.pathOf(key)
    if (path !== undefined) return this.#files.send(request, reply, path, headers)
    if (this.#delivery === 'redirect' && headers.staysHere !== true && request.method === 'GET')
      return this.#redirect(reply, key, headers)
    return this.#passOn(request, reply, key, headers)
  }

  close(): void {
    this.#files.close()
  }

  async #redirect(reply: FastifyReply, key: string, headers: ObjectHeaders): Promise<boolean> {
    if (!(await this.#storage.head(key))) return false
    const address = await this.#storage.presignedUrl(key, headers)
    if (address === undefined) throw new Error(`there is no address for ${key}`)
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', headers.isPassing ? 'no-store' : `public, max-age=${rememberedSeconds}`)
      .redirect(address, 302)
    return true
  }

  async #passOn(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    headers: ObjectHeaders,
  ): Promise<boolean> {
    const { range, 'if-none-match': known } = request.headers
    const isSimple = request.method === 'GET' && range === undefined && known === undefined
    const whole = isSimple ? await this.#storage.get(key) : undefined
    const found = isSimple ? whole : await this.#storage.head(key)
    if (!found) return false
    try {
      const part = startAnswer(request, reply, { ...headers, ...found })
      if (!part) return true
      const body = whole?.body ?? (await this.#storage.get(key, part))?.body
      if (!body) throw new Error(`${key} was deleted while it was sent`)
      await pipeline(body, reply.raw)
    } catch (error) {
      // the answer has begun, so that ending it early is the only way to say that it is not whole
      const isReaderGone = reply.raw.destroyed
      reply.raw.destroy()
      if (!isReaderGone) throw error
    } finally {
      whole?.body.destroy()
    }
    return true
  }
}
