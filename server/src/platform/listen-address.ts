import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from './startup-error.ts'

/**
 * The port to listen on, tried out: any free one for 0. A port that is still held by a killed predecessor is waited
 * for `patienceMs`. Throws StartupError when it cannot be had.
 */
export async function findPort(host: string, port: number, timeoutMs: number): Promise<number> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await tryPort(host, port)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && Date.now() < deadline) {
        await delay(50)
        continue
      }
      throw new StartupError(complaint(host, port, code), { cause })
    }
  }
}

/** The address to print: what a person on this machine can type. */
export function addressOf(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${isAny ? 'localhost' : name}:${port}`
}

function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
}

function complaint(host: string, port: number, code: string | undefined): string {
  const other = `start with another one, e.g. PORT=${port < 1024 ? 3000 : port + 1}`
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken: stop the program that uses it, or ${other}.`
  if (code === 'EACCES') return `This user may not open port ${port}: ${other}.`
  return `There is no address ${host} on this machine (${code}): set HOST to 127.0.0.1, or to 0.0.0.0 for all networks.`
}
