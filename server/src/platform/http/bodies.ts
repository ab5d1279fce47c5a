import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * Understands JSON and form-encoded bodies alike; an empty body is none, whatever it says it is.
 * Other kinds get `unsupported_type`, unless a plugin takes them.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => (body === '' ? undefined : parseJson(body)),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length === 0) return undefined
    throw new AppError('unsupported_type', 'Send JSON or a form: this kind of content is not understood here')
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid', 'The body is not valid JSON', { cause })
  }
}
