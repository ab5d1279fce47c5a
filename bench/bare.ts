import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import fastify from 'fastify'

/** The least that a web server of this kind can do: Fastify, sending the same bytes for every request. */
export interface Bare {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Starts it in a process of its own. */
export async function startBare(body: Buffer): Promise<Bare> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(body)
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
  })
  return {
    url,
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

if (process.argv[1] === import.meta.filename) {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const app = fastify()
  app.get('/', (_, reply) => reply.type('application/json; charset=utf-8').send(body))
  console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
}
