import { createECDH } from 'node:crypto'
import { buildPushPayload } from '@block65/webcrypto-web-push'
import { isNotPublic, postOutside } from '../http/outgoing/request-outside.ts'
import type { SiteSecret } from '../site-secret.ts'

/** A browser's subscription; keys in base64url. */
export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
}

/** `gone`: the browser has ended the subscription. `refused`: another attempt would be refused, too. */
export type PushOutcome = 'delivered' | 'gone' | 'refused'

/** How long a push service keeps a message for a device that is off. */
const keptSeconds = 24 * 3600

/** Statuses after which the same request may succeed later; so may any from 500 on. */
const temporary = new Set([408, 425, 429])

/** Sends messages to browsers through their push services (RFC 8030), signed (RFC 8292) and encrypted (RFC 8291). */
export class PushSender {
  readonly #secret: SiteSecret
  readonly #subject: string
  readonly #trust: { allowedAddresses: string[]; ca: string | undefined }

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
    this.#trust = { allowedAddresses, ca }
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
    const status = await postOutside(endpoint, { headers, body, ...this.#trust }).catch((error: unknown) => {
      if (isNotPublic(error)) return undefined
      throw error
    })
    if (status === 404 || status === 410) return 'gone'
    if (status === undefined || (status >= 300 && status < 500 && !temporary.has(status))) return 'refused'
    if (status >= 300) throw new Error(`The push service answered ${status}`)
    return 'delivered'
  }

  /** The key pair of the site. Derived from its secret, so it is the same in all processes and after a restore. */
  async #keys(): Promise<{ publicKey: string; privateKey: string }> {
    const curve = createECDH('prime256v1')
    const privateKey = await this.#secret.hash('vapid key')
    curve.setPrivateKey(privateKey)
    return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
  }
}
