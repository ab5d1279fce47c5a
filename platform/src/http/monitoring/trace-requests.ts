import { SpanKind } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import { withoutTokens } from '../../secret-token.ts'
import { continueTrace, inSpan, setFailed } from '../../tracing/tracing.ts'

/**
 * Records a span per request until its response is sent. `traceparent` is accepted from a trusted proxy only: otherwise
 * clients could decide which traces are sampled. Requests without a route are named `page`: most are for pages.
 */
export function traceRequests(app: FastifyInstance, trustsProxy: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers
    const isTrusted = trustsProxy && typeof traceparent === 'string'
    void continueTrace(isTrusted ? traceparent : undefined, () =>
      inSpan(
        `${request.method} ${request.routeOptions.url ?? 'page'}`,
        {
          'http.request.method': request.method,
          'url.path': withoutTokens(request.url.split('?', 1)[0] ?? ''),
        },
        (span) =>
          new Promise<void>((resolve) => {
            reply.raw.once('close', () => {
              const status = reply.raw.statusCode
              span.setAttributes({
                'http.route': request.routeOptions.url ?? 'page',
                'http.response.status_code': status,
                'kinora.request_id': request.id,
              })
              if (status >= 500) setFailed(span, `status ${status}`)
              resolve()
            })
            done()
          }),
        SpanKind.SERVER,
      ),
    )
  })
}
