import { apiPrefix, type Endpoint } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '@kinora/platform/http/limits/client-address.ts'
import type { RateLimits } from '../context/rate-limits.ts'

/** Requests of load balancers and monitoring have no limit. */
const probes = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Limits requests per client address, separately for API calls (except `exempt`, which have their own limits), pages and
 * files. Requests above a limit get 429 with Retry-After.
 */
export function limitRequests(
  app: FastifyInstance,
  limits: Pick<RateLimits, 'requests' | 'pages' | 'files'>,
  exempt: Pick<Endpoint, 'method' | 'path'>,
): void {
  app.addHook('onRequest', async (request) => {
    const { url, method, routeOptions } = request
    const isExempt = method === exempt.method && routeOptions.url === apiPrefix + exempt.path
    if (isExempt || probes.has(routeOptions.url ?? '')) return
    // a cached response costs no more than a rejection
    if (routeOptions.config.isCached?.(request)) return
    limits[kindOf(url)].assertAllowed(addressKey(request.ip))
  })
}

function kindOf(url: string): 'requests' | 'pages' | 'files' {
  if (url.startsWith(`${apiPrefix}/`)) return 'requests'
  return url.startsWith('/media/') || url.startsWith('/assets/') ? 'files' : 'pages'
}
