import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Storage } from '../../storage/storage.ts'
import { closeIncomplete, FileSender, type MediaHeaders, startResponse } from './send-file.ts'

export interface ObjectHeaders extends MediaHeaders {
  /** The object may be evicted and created again, so redirects to it must not be cached. */
  isEvictable?: boolean
  /** Browsers load it from the site's own origin only, so it is never redirected. */
  isSameOriginOnly?: boolean
}

/** How long browsers cache a redirect. Presigned URLs are valid for longer. */
const redirectMaxAgeSeconds = 3600

/** Sends objects and byte ranges: local files directly, objects of a bucket by streaming or redirecting. */
export class ObjectSender {
  readonly #storage: Storage
  readonly #delivery: 'stream' | 'redirect'
  readonly #files = new FileSender()

  constructor(storage: Storage, delivery: 'stream' | 'redirect') {
    this.#storage = storage
    this.#delivery = delivery
  }

  /** Sends the object. Returns false, without a response, if it does not exist. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    headers: ObjectHeaders,
  ): Promise<boolean> {
    const path = this.#storage.pathOf(key)
    if (path !== undefined) return this.#files.send(request, reply, path, headers)
    if (this.#delivery === 'redirect' && headers.isSameOriginOnly !== true && request.method === 'GET')
      return this.#redirect(reply, key, headers)
    return this.#stream(request, reply, key, headers)
  }

  close(): void {
    this.#files.close()
  }

  async #redirect(reply: FastifyReply, key: string, headers: ObjectHeaders): Promise<boolean> {
    if (!(await this.#storage.head(key))) return false
    const url = await this.#storage.presignedUrl(key, headers)
    if (url === undefined) throw new Error(`the storage has no URL for ${key}`)
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', headers.isEvictable ? 'no-store' : `public, max-age=${redirectMaxAgeSeconds}`)
      .redirect(url, 302)
    return true
  }

  async #stream(
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
      const part = startResponse(request, reply, { ...headers, ...found })
      if (!part) return true
      const body = whole?.body ?? (await this.#storage.get(key, part))?.body
      if (!body) throw new Error(`${key} was deleted while it was sent`)
      await pipeline(body, reply.raw)
    } catch (error) {
      if (closeIncomplete(reply)) throw error
    } finally {
      whole?.body.destroy()
    }
    return true
  }
}
