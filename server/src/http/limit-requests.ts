import { apiPrefix, type Endpoint } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '@kinora/platform/client-address.ts'
import { defineLimit, type Limits, requestLimit } from '../context/limits.ts'

/** Limits as multiples of REQUESTS_PER_MINUTE: a page costs less than a call, and has many files. */
const pagesPerRequest = 2
const filesPerRequest = 10

/** Pages, feeds and other documents, and media and static files, per address. */
export const documentLimits = defineLimit(({ config, local }) => ({
  pages: local(config.requestsPerMinute * pagesPerRequest, 60),
  files: local(config.requestsPerMinute * filesPerRequest, 60),
}))

/** Requests of load balancers and monitoring have no limit. */
const probes = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Limits requests per client address, separately for API calls (except `exempt`, which have their own limits), pages and
 * files. Requests above a limit get 429 with Retry-After.
 */
export function limitRequests(
  app: FastifyInstance,
  limits: Limits,
  exempt: Pick<Endpoint, 'method' | 'path'>,
): void {
  const byKind = { requests: limits.of(requestLimit), ...limits.of(documentLimits) }
  app.addHook('onRequest', async (request) => {
    const { url, method, routeOptions } = request
    const isExempt = method === exempt.method && routeOptions.url === apiPrefix + exempt.path
    if (isExempt || probes.has(routeOptions.url ?? '')) return
    // a cached response costs no more than a rejection
    if (routeOptions.config.isCached?.(request)) return
    byKind[kindOf(url)].assertAllowed(addressKey(request.ip))
  })
}

function kindOf(url: string): 'requests' | 'pages' | 'files' {
  if (url.startsWith(`${apiPrefix}/`)) return 'requests'
  return url.startsWith('/media/') || url.startsWith('/assets/') ? 'files' : 'pages'
}
