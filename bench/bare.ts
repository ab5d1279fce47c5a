import fastify from 'fastify'
import { type BareProcess, startBareProcess } from './bare-process.ts'

/** The minimal server: Fastify, sending the same bytes for every request. */
export function startBare(body: Buffer): Promise<BareProcess> {
  return startBareProcess(import.meta.filename, { input: body })
}

if (process.argv[1] === import.meta.filename) {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const app = fastify()
  app.get('/', (_, reply) => reply.type('application/json; charset=utf-8').send(body))
  console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
}
