import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'

/** Prefix of Swagger UI and its files. */
const docsPath = '/api/docs'

/**
 * Serves an OpenAPI document, and Swagger UI at `/api/docs`. Both are made at the first request: most processes never
 * get one, and together they would take a fifth of the CPU time of a start.
 */
export function serveReference(app: FastifyInstance, describe: () => Promise<object>, title: string): void {
  let described: Promise<object> | undefined
  const getDocument = () => (described ??= describe())
  let started: Promise<FastifyInstance> | undefined
  const start = async () =>
    (await import('./swagger-ui.ts')).createSwaggerUi(docsPath, await getDocument(), title)
  let text: string | undefined

  app.get(`${apiPrefix}/openapi.json`, async (_, reply) => {
    text ??= JSON.stringify(await getDocument())
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(text)
  })
  for (const url of [docsPath, `${docsPath}/*`])
    app.get(url, async (request, reply) => {
      const ui = await (started ??= start())
      const { statusCode, headers, rawPayload } = await ui.inject({
        method: request.method as 'GET' | 'HEAD',
        url: request.url,
        headers: request.headers,
      })
      delete headers.connection
      return reply.code(statusCode).headers(headers).send(rawPayload)
    })
  app.addHook('onClose', async () => (await started)?.close())
}
