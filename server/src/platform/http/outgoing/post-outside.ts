import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

/** A server that takes longer counts as failed. */
const timeoutMs = 10_000

/** Whether `postOutside` threw because the address is not public. The error of the agent has no code. */
export const isNotPublic = (error: unknown) =>
  error instanceof Error && error.message.includes('is not allowed')

/**
 * Posts to an address that a user chose, and returns the status of the response. Follows no redirect and reads no body.
 * Throws for addresses of private networks but the IP addresses and networks in `allowedAddresses`: the address is checked
 * once resolved, on the connection that is used, so that no name leads into the network of the server. `ca`: the only
 * certificate authority that is trusted, in PEM.
 */
export async function postOutside(
  url: string,
  {
    headers,
    body,
    allowedAddresses,
    ca,
    signal,
  }: {
    headers: Record<string, string>
    body: string | Uint8Array
    allowedAddresses: string[]
    ca?: string | undefined
    signal?: AbortSignal
  },
): Promise<number> {
  const isSecure = new URL(url).protocol === 'https:'
  const filter = { allowIPAddressList: allowedAddresses, ...(ca === undefined ? {} : { ca }) }
  const timeout = AbortSignal.timeout(timeoutMs)
  const agent = isSecure ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter)
  try {
    const sent = (isSecure ? https : http).request(url, {
      method: 'POST',
      headers: { 'content-length': Buffer.byteLength(body), ...headers },
      agent,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const responded = once(sent, 'response')
    // the server may close the connection after its response, before it has read the body
    sent.on('error', () => undefined)
    sent.end(body)
    const [response] = (await responded) as [IncomingMessage]
    response.destroy()
    return response.statusCode ?? 0
  } finally {
    agent.destroy()
  }
}
