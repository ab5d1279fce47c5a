import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { type Failure } from '@kinora/contract/failure.ts'
import { errors } from '@kinora/contract/errors.ts'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { AppError } from '../../errors.ts'

/** A server that takes longer to respond to a POST counts as failed. */
const timeoutMs = 10_000

/** A server that sends nothing for longer, before or within a response to a GET, counts as failed. */
const idleMs = 30_000

/** Servers with data of a cloud machine, in ranges that are public otherwise. */
const metadataAddresses = [
  // Azure: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '168.63.129.16',
]

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Whether a request threw because the address is not public. The error of the agent has no code. */
export const isNotPublic = (error: unknown) =>
  error instanceof Error && error.message.includes('is not allowed')

/** The error for a request that got no response. */
export function outsideError(cause: unknown): AppError {
  return new AppError(outsideFailureOf(cause), { cause })
}

/** Why a request got no response, without a full stop. */
export const problemOf = (error: unknown): string => outsideFailureOf(error).message.replace(/\.$/, '')

function outsideFailureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return errors.noResponse
  if (isNotPublic(error)) return errors.privateAddress
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return errors.noResponseInTime
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND') return errors.noSuchServer
  if (code === 'ECONNREFUSED') return errors.connectionRefused
  if (/CERT|SSL|TLS/.test(code)) return errors.invalidCertificate
  return errors.connectionFailed
}

/** Where a request may go, and how long it lasts. */
interface OutsideOptions {
  headers: Record<string, string>
  /** IP addresses and networks that are reached although they are private. */
  allowedAddresses: string[]
  /** The only certificate authority that is trusted, in PEM. */
  ca?: string | undefined
  signal?: AbortSignal | undefined
}

/** A response whose connection is closed when it is disposed of. */
export interface OutsideResponse extends Disposable {
  response: IncomingMessage
}

/**
 * Sends a request to an address that a user chose. Throws for addresses of private networks but the allowed ones: the
 * address is checked once resolved, on the connection that is used, so that no name leads into the network of the server.
 */
async function request(
  url: string,
  { headers, allowedAddresses, ca, signal }: OutsideOptions,
  { method, body, idle }: { method: string; body?: string | Uint8Array; idle?: number },
): Promise<OutsideResponse> {
  const isSecure = new URL(url).protocol === 'https:'
  const filter = {
    allowIPAddressList: allowedAddresses,
    denyIPAddressList: metadataAddresses,
    ...(ca === undefined ? {} : { ca }),
  }
  const agent = isSecure ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter)
  try {
    const sent = (isSecure ? https : http).request(url, {
      method,
      headers: body === undefined ? headers : { 'content-length': Buffer.byteLength(body), ...headers },
      agent,
      ...(signal && { signal }),
      ...(idle !== undefined && { timeout: idle }),
    })
    const responded = responseTo(sent)
    sent.on('timeout', () => sent.destroy(new DOMException('The server sends nothing', 'TimeoutError')))
    sent.end(body)
    const response = await responded
    const close = () => {
      response.destroy()
      agent.destroy()
    }
    return { response, [Symbol.dispose]: close }
  } catch (error) {
    agent.destroy()
    throw error
  }
}

/** Resolves to the response, and rejects however the request ends without one. */
async function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    // stays: the server may close the connection after its response, before it has read the body
    sent.on('error', reject)
    // 101 causes neither a response nor an error, and its socket no longer belongs to the request
    sent.once('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('The server switched protocols'))
    })
    sent.once('close', () => reject(new Error('The connection was closed without a response')))
  })
}

/**
 * Posts to an address that a user chose, and returns the status of the response. Follows no redirect and reads no body.
 * Throws for addresses of private networks, and for a response that takes longer than ten seconds.
 */
export async function postOutside(
  url: string,
  { body, signal, ...options }: OutsideOptions & { body: string | Uint8Array },
): Promise<number> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const bounded = { ...options, signal: signal ? AbortSignal.any([signal, timeout]) : timeout }
  using sent = await request(url, bounded, { method: 'POST', body })
  return sent.response.statusCode ?? 0
}

/**
 * Gets an address that a user chose, after at most five redirects, each of which is checked as the first address is.
 * Reading the body throws once the server sends nothing for half a minute.
 */
export async function getOutside(url: string, options: OutsideOptions): Promise<OutsideResponse> {
  let current = url
  for (let followed = 0; ; followed += 1) {
    const received = await request(current, options, { method: 'GET', idle: idleMs })
    const { statusCode = 0, headers } = received.response
    if (!redirects.has(statusCode) || headers.location === undefined) return received
    received[Symbol.dispose]()
    if (followed === maxRedirects) throw new AppError(errors.tooManyRedirects)
    const next = URL.parse(headers.location, current)
    if (!next || !/^https?:$/.test(next.protocol)) throw new AppError(errors.redirectNotHttp)
    current = next.href
  }
}
