import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'

/** Content-Security-Policy of Swagger UI, which uses inline styles and data URLs. */
const referencePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Serves an OpenAPI document, and Swagger UI at `/api/docs`. */
export async function serveReference(app: FastifyInstance, document: object, title: string): Promise<void> {
  // the plugin's types cover OpenAPI 3.0 only, but it passes the document through
  await app.register(swagger, { mode: 'static', specification: { document: document as OpenAPIV3.Document } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: referencePolicy,
    transformSpecificationClone: false,
    theme: { title },
    uiConfig: { docExpansion: 'list', defaultModelsExpandDepth: 0, displayRequestDuration: true },
  })
  const text = JSON.stringify(document)
  app.get(`${apiPrefix}/openapi.json`, async (_, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(text),
  )
}
