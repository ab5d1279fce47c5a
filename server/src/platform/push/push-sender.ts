import { createECDH } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type Agent, request } from 'node:https'
import { buildPushPayload } from '@block65/webcrypto-web-push'
import { RequestFilteringHttpsAgent } from 'request-filtering-agent'
import type { SiteSecret } from '../site-secret.ts'

/** A browser's subscription; keys in base64url. */
export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
}

/** `gone`: the browser has ended the subscription. `refused`: another attempt would be refused, too. */
export type PushOutcome = 'delivered' | 'gone' | 'refused'

/** A push service that takes longer counts as failed. */
const timeoutMs = 10_000

/** How long a push service keeps a message for a device that is off. */
const keptSeconds = 24 * 3600

/** Statuses after which the same request may succeed later; so may any from 500 on. */
const temporary = new Set([408, 425, 429])

/** Message of the agent for an address that is not public. The error has no code. */
const isNotPublic = (error: unknown) => error instanceof Error && error.message.includes('is not allowed')

/** Sends messages to browsers through their push services (RFC 8030), signed (RFC 8292) and encrypted (RFC 8291). */
export class PushSender {
  readonly #secret: SiteSecret
  readonly #subject: string
  readonly #agent: Agent

  /**
   * `subject`: https or mailto address of the operator for push services. `allowedAddresses`: IP addresses that are
   * requested although they are not public. `ca`: the only certificate authority that is trusted, in PEM.
   */
  constructor({
    secret,
    subject,
    allowedAddresses,
    ca,
  }: {
    secret: SiteSecret
    subject: string
    allowedAddresses: string[]
    ca: string | undefined
  }) {
    this.#secret = secret
    this.#subject = subject
    // subscribers choose the address: checked once resolved, so that no name leads into the network of the server
    this.#agent = new RequestFilteringHttpsAgent({
      allowIPAddressList: allowedAddresses,
      ...(ca === undefined ? {} : { ca }),
    })
  }

  /** The key that browsers subscribe with; an uncompressed P-256 point in base64url. */
  async publicKey(): Promise<string> {
    return (await this.#keys()).publicKey
  }

  /** Sends JSON of less than 4 kB. Throws where a later attempt may succeed. */
  async send({ endpoint, p256dh, auth }: PushTarget, data: Record<string, string>): Promise<PushOutcome> {
    const { headers, body } = await buildPushPayload(
      { data, options: { ttl: keptSeconds } },
      { endpoint, expirationTime: null, keys: { p256dh, auth } },
      { subject: this.#subject, ...(await this.#keys()) },
    )
    const status = await this.#post(endpoint, headers, body).catch((error: unknown) => {
      if (isNotPublic(error)) return undefined
      throw error
    })
    if (status === 404 || status === 410) return 'gone'
    if (status === undefined || (status >= 300 && status < 500 && !temporary.has(status))) return 'refused'
    if (status >= 300) throw new Error(`The push service answered ${status}`)
    return 'delivered'
  }

  /** Returns the status. Follows no redirect and reads no body. */
  async #post(url: string, headers: Record<string, string>, body: Uint8Array): Promise<number> {
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = request(url, { method: 'POST', headers, agent: this.#agent, signal })
    // the service may close the connection after its response, before it has read the body
    sent.on('error', () => undefined)
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.destroy()
    return response.statusCode ?? 0
  }

  /** The key pair of the site. Derived from its secret, so it is the same in all processes and after a restore. */
  async #keys(): Promise<{ publicKey: string; privateKey: string }> {
    const curve = createECDH('prime256v1')
    const privateKey = await this.#secret.hash('vapid key')
    curve.setPrivateKey(privateKey)
    return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
  }
}
