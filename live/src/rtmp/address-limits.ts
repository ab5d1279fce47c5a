import { isIPv6 } from 'node:net'
import { addressKey } from '@kinora/platform/client-address.ts'

/** Connections of one address: an encoder that reconnects, and a household with several. */
const MAX_OPEN = 8
/** Refused keys of an address within a minute after which it has to wait. */
const MAX_REFUSED = 10
const REFUSED_MS = 60_000
const MAX_ADDRESSES = 10_000

/** Limits of what one address may do. A server that forwards streams from the same machine has none: it stands for many. */
export class AddressLimits {
  readonly #open = new Map<string, number>()
  readonly #refused = new Map<string, { count: number; until: number }>()

  /** Counts a connection. Returns what to call at its end; undefined if there are too many. */
  open(address: string): (() => void) | undefined {
    if (isOwnMachine(address)) return () => undefined
    const key = addressKey(address)
    const count = this.#open.get(key) ?? 0
    if (count >= MAX_OPEN || this.#isBlocked(key)) return undefined
    this.#open.set(key, count + 1)
    return () => {
      const left = (this.#open.get(key) ?? 1) - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
    }
  }

  /** Counts a key that nobody has. */
  refuse(address: string): void {
    if (isOwnMachine(address)) return
    const key = addressKey(address)
    const known = this.#refused.get(key)
    const isRecent = known !== undefined && known.until >= Date.now()
    if (this.#refused.size >= MAX_ADDRESSES) this.#refused.clear()
    this.#refused.set(key, { count: (isRecent ? known.count : 0) + 1, until: Date.now() + REFUSED_MS })
  }

  #isBlocked(key: string): boolean {
    const known = this.#refused.get(key)
    return known !== undefined && known.until >= Date.now() && known.count >= MAX_REFUSED
  }
}

const isOwnMachine = (address: string) =>
  isIPv6(address) ? address === '::1' || /^::ffff:127\./i.test(address) : address.startsWith('127.')
