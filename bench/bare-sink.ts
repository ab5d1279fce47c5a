import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { type BareProcess, startBareProcess } from './bare-process.ts'

/** The minimal upload server in Node: writes the socket to a file and syncs it before the response. */
export function startBareSink(file: string): Promise<BareProcess> {
  return startBareProcess(import.meta.filename, { args: [file] })
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
