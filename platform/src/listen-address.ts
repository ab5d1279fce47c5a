import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from './startup-error.ts'

/**
 * Returns the port to listen on, or any free one for 0. Waits up to `timeoutMs` for a port that a killed predecessor
 * still uses. Throws StartupError if the port cannot be opened.
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
      throw new StartupError(explainFailure(host, port, code), { cause })
    }
  }
}

/** Returns the URL to print: one that works in a browser on this machine. */
export function siteUrl(host: string, port: number): string {
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

function explainFailure(host: string, port: number, code: string | undefined): string {
  const other = `start with another one, e.g. PORT=${port < 1024 ? 3000 : port + 1}`
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the program that uses it, or ${other}.`
  if (code === 'EACCES') return `This user may not open port ${port}. To avoid it, ${other}.`
  return `This machine has no address ${host} (${code}). Set HOST to 127.0.0.1, or to 0.0.0.0 for all networks.`
}
