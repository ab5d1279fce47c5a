import type { FastifyInstance } from 'fastify'
import { inSpan, continueTrace } from '../../tracing/tracing.ts'

/**
 * Makes a span of every request, until its answer has gone out. Only a proxy that is trusted may have begun the trace:
 * from strangers, it would let them choose what is sent.
 */
export function traceRequests(app: FastifyInstance, trustsProxy: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers
    const isOurs = trustsProxy && typeof traceparent === 'string'
    void continueTrace(isOurs ? traceparent : undefined, () =>
      inSpan(
        `${request.method} ${request.routeOptions.url ?? 'page'}`,
        { 'http.request.method': request.method, 'url.path': request.url.split('?', 1)[0] ?? '' },
        (span) =>
          new Promise<void>((resolve) => {
            reply.raw.once('close', () => {
              const status = reply.raw.statusCode
              span.set({
                'http.route': request.routeOptions.url ?? 'page',
                'http.response.status_code': status,
                'kinora.request_id': request.id,
              })
              if (status >= 500) span.fail(`answered ${status}`)
              resolve()
            })
            done()
          }),
        'server',
      ),
    )
  })
}
