import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'

/** The least that Node can do with an upload: from the socket into a file, and flushed before it is answered. */
export interface BareSink {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Starts it in a process of its own. */
export async function startBareSink(file: string): Promise<BareSink> {
  const child = spawn(process.execPath, [import.meta.filename, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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

async function serve(file: string): Promise<void> {
  const server = createServer((request, response) => {
    const keep = async () => {
      await pipeline(request, createWriteStream(file, { highWaterMark: 2 ** 20 }))
      const handle = await open(file)
      await handle.datasync()
      await handle.close()
      response.end('kept')
    }
    keep().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // of a server that listens on a port, and so not a string and not null
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

if (process.argv[1] === import.meta.filename) await serve(process.argv[2] ?? '')
