import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '@kinora/contract/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { isMultipart, sentTwice } from './form.ts'
import { hasBody, requirePace, smallBodyPace } from './receive-body.ts'

/** Body limit of endpoints without long texts. */
export const bodyMaxBytes = 32 * 1024

/**
 * Parses JSON and form-encoded bodies. An empty body counts as no body. Multipart bodies are read by the routes. Other
 * types are rejected with `unsupported_type`, unless a plugin parses them or the route ignores its body. Bodies slower
 * than `smallBodyPace` are rejected.
 */
export function parseBodies(app: FastifyInstance): void {
  // `100 Continue` is sent when the body is read, after the request was authorized
  const isAwaiting = new WeakSet<IncomingMessage>()
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    isAwaiting.add(request)
    app.server.emit('request', request, response)
  })
  // Node's `requestTimeout` is off, because it would end large uploads
  app.addHook('preParsing', async (request, reply, payload) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity') throw new AppError(errors.compressedBody)
    if (hasBody(request) && !request.raw.complete) {
      // plugins that read the bytes themselves, such as uploads, set their own limits
      if (!isMultipart(request) && !isReadByHandler(request)) {
        const pace = requirePace(request, smallBodyPace)
        for (const event of ['end', 'close', 'error']) payload.once(event, () => pace[Symbol.dispose]())
      }
      if (isAwaiting.has(request.raw)) reply.raw.writeContinue()
    }
    return payload
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => (body === '' ? undefined : parseJson(body)),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => parseForm(body),
  )
  // streamed, see form.ts
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0 || request.routeOptions.config.ignoresBody) return undefined
    throw new AppError(errors.unsupportedBody)
  })
}

/** Content type of tus uploads; the handler streams the bytes. */
export const fileBytesType = 'application/offset+octet-stream'

const isReadByHandler = ({ headers }: FastifyRequest) => headers['content-type'] === fileBytesType

/** Parsing hundreds of thousands of fields would block the event loop. */
const maxFormFields = 100

function parseForm(text: string): unknown {
  if (text.split('&', maxFormFields + 1).length > maxFormFields) {
    throw new AppError(errors.formTooManyFields, { limit: maxFormFields })
  }
  const fields = new URLSearchParams(text)
  for (const name of fields.keys()) if (fields.getAll(name).length > 1) throw sentTwice(name)
  return Object.fromEntries(fields)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError(errors.malformedJson, { cause })
  }
}
