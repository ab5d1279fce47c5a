import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, compressorsOf, type Encoding, etagOf, matchesEtag } from './content-negotiation.ts'

/** Below the size of a packet, compressing gains nothing. */
const compressedFromBytes = 1400

const compressors = compressorsOf(4)

/** A JSON body with its headers. Each compressed form is made once, when it is first requested. */
export class JsonResponse {
  readonly json: Buffer
  readonly #etag: string
  readonly #bodies: Partial<Record<Encoding, Promise<Buffer>>> = {}

  constructor(value: unknown) {
    this.json = Buffer.from(JSON.stringify(value))
    this.#etag = etagOf(this.json)
  }

  /** Sends 304 when `If-None-Match` matches, otherwise the body in the best accepted encoding. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
      etag: this.#etag,
    })
    if (matchesEtag(request.headers['if-none-match'], this.#etag)) return reply.code(304).send()
    const isSmall = this.json.length < compressedFromBytes
    const encoding = isSmall ? 'identity' : chooseEncoding(request.headers['accept-encoding'], compressors)
    if (encoding === 'identity') return reply.send(this.json)
    this.#bodies[encoding] ??= compressors[encoding](this.json)
    const body = await this.#bodies[encoding]
    return reply.header('content-encoding', encoding).send(body)
  }
}
