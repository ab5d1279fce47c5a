import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, compressorsOf, type Encoding, etagOf, matchesEtag } from './content-negotiation.ts'

/** Below the size of a packet, compressing gains nothing. */
const compressedFromBytes = 1400

const compressors = compressorsOf(4)

/** A text body with its headers, to be sent any number of times. Each compressed form is made once, when it is first requested. */
export class TextResponse {
  readonly #contentType: string
  readonly #body: Buffer
  readonly #etag: string
  readonly #bodies: Partial<Record<Encoding, Promise<Buffer>>> = {}

  constructor(text: string, contentType: string) {
    this.#contentType = contentType
    this.#body = Buffer.from(text)
    this.#etag = etagOf(this.#body)
  }

  static json(value: unknown): TextResponse {
    return new TextResponse(JSON.stringify(value), 'application/json; charset=utf-8')
  }

  /** Memory in bytes: the body and about as much for its compressed forms. */
  get size(): number {
    return 2 * this.#body.length
  }

  /**
   * Sends the body in the best accepted encoding, with the status of the reply. Where that is 200 and `If-None-Match`
   * matches, sends 304.
   */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers({
      'content-type': this.#contentType,
      vary: 'accept-encoding',
      etag: this.#etag,
    })
    const isKnown = matchesEtag(request.headers['if-none-match'], this.#etag)
    if (isKnown && reply.statusCode === 200) return reply.code(304).send()
    const isSmall = this.#body.length < compressedFromBytes
    const encoding = isSmall ? 'identity' : chooseEncoding(request.headers['accept-encoding'], compressors)
    if (encoding === 'identity') return reply.send(this.#body)
    this.#bodies[encoding] ??= compressors[encoding](this.#body)
    const body = await this.#bodies[encoding]
    return reply.header('content-encoding', encoding).send(body)
  }
}
