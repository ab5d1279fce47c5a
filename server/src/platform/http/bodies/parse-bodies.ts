import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { isMultipart, sentTwice } from './form.ts'
import { hasBody, requirePace, smallBodyPace } from './receive-body.ts'

/** The largest body of a call without long texts. */
export const bodyMaxBytes = 32 * 1024

/**
 * Parses JSON and form-encoded bodies alike; an empty body is none, whatever its type says. Multipart bodies are read by
 * the routes. Other kinds get `unsupported_type`, unless a plugin takes them or the route ignores its body. A sender who is
 * slower than `smallBodyPace` is refused.
 */
export function parseBodies(app: FastifyInstance): void {
  // said to who waits for it where the body is read, and not before it is known whether they may send one
  const isAwaiting = new WeakSet<IncomingMessage>()
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    isAwaiting.add(request)
    app.server.emit('request', request, response)
  })
  // there is no limit on the time of a whole request, or large uploads would meet it
  app.addHook('preParsing', async (request, reply, payload) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity') throw new AppError('unsupported_type', 'Send the body uncompressed')
    if (hasBody(request) && !request.raw.complete) {
      // a plugin that reads the bytes itself, as of an upload, says how long they may take
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
  // read as it comes, see form.ts
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0 || request.routeOptions.config.ignoresBody) return undefined
    throw new AppError('unsupported_type', 'Send JSON or a form: this kind of content is not understood here')
  })
}

/** Bytes of a file, for a handler that reads them as they come. */
export const fileBytesType = 'application/offset+octet-stream'

const isReadByHandler = ({ headers }: FastifyRequest) => headers['content-type'] === fileBytesType

/** No form has more; taking apart hundreds of thousands would keep everybody else waiting. */
const maxFormFields = 100

function parseForm(text: string): unknown {
  if (text.split('&', maxFormFields + 1).length > maxFormFields) {
    throw new AppError('invalid', `The form has more than ${maxFormFields} fields`)
  }
  const fields = new URLSearchParams(text)
  for (const name of fields.keys()) if (fields.getAll(name).length > 1) throw sentTwice(name)
  return Object.fromEntries(fields)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid', 'The body is not valid JSON', { cause })
  }
}
