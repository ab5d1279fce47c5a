import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errors } from '@kinora/contract/errors.ts'
import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import { AppError } from '../../errors.ts'

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Counts and times responses, labelled by the pattern of the route instead of the URL. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: 'kinora_http_requests_total',
    help: 'HTTP responses by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'kinora_http_request_duration_seconds',
    help: 'Time from the request to the last byte of the response.',
    labelNames: ['method', 'route'],
    buckets: durationBuckets,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'page'
    const { method } = request
    requests.inc({ method, route, status: reply.raw.statusCode })
    durations.observe({ method, route }, reply.elapsedTime / 1000)
  })
}

/**
 * Serves `GET /metrics` to requests with the token (`Authorization: Bearer`), and 404 to all others. Local addresses are
 * not trusted, because a reverse proxy on this machine has one, too.
 */
export function serveMetrics(app: FastifyInstance, registry: Registry, token: string | undefined): void {
  app.get('/metrics', async ({ raw }, reply) => {
    if (token === undefined || !mayReadMetrics(raw, token)) throw new AppError(errors.addressNotFound)
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics())
  })
}

/** Whether a request may read metrics on a separate port without a proxy. Without a token, only this machine may. */
export function mayReadMetrics({ headers, socket }: IncomingMessage, token: string | undefined): boolean {
  if (token !== undefined) return isSame(headers.authorization ?? '', `Bearer ${token}`)
  const isProxied = Object.keys(headers).some((name) =>
    /^(x-forwarded-|x-real-ip$|forwarded$|via$)/.test(name),
  )
  return !isProxied && /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}
