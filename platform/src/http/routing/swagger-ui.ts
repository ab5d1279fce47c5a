import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type FastifyInstance } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'

/** Content-Security-Policy of Swagger UI, which uses inline styles and data URLs. */
const referencePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Swagger UI as a server that does not listen, because plugins cannot be added to one that runs. */
export async function createSwaggerUi(
  routePrefix: string,
  document: object,
  title: string,
): Promise<FastifyInstance> {
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  // the plugin's types cover OpenAPI 3.0 only, but it passes the document through
  await app.register(swagger, { mode: 'static', specification: { document: document as OpenAPIV3.Document } })
  await app.register(swaggerUi, {
    routePrefix,
    staticCSP: referencePolicy,
    transformSpecificationClone: false,
    theme: { title },
    uiConfig: { docExpansion: 'list', defaultModelsExpandDepth: 0, displayRequestDuration: true },
  })
  await app.ready()
  return app
}
