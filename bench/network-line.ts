import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TRACE_STEP_MS } from './network-traces.ts'

const TICK_MS = 10
const PACKET_BYTES = 1460
/** Bytes of a connection that may wait, as in the queue of a router. */
const QUEUE_BYTES = 64 * 1024

/** Bytes that a connection has received for the browser. */
interface Download {
  source: Socket
  browser: Socket
  waiting: Buffer
  isOver: boolean
}

/**
 * A TCP proxy whose connections share a downlink with the throughput of a trace. The emulation of Chromium cannot change:
 * each new value completes at once what is under way. Requests arrive after `latencyMs`; the uplink has no other limit.
 */
export async function startLine(
  target: string,
  trace: readonly number[],
  latencyMs: number,
): Promise<{ url: string; stop: () => void }> {
  const { hostname, port } = new URL(target)
  const downloads = new Set<Download>()
  const server = createServer((browser) => {
    const source = connect(Number(port), hostname)
    const download: Download = { source, browser, waiting: Buffer.alloc(0), isOver: false }
    downloads.add(download)
    browser.on('data', (bytes) => setTimeout(() => source.write(bytes), latencyMs))
    source.on('data', (bytes) => {
      download.waiting = Buffer.concat([download.waiting, bytes])
      if (download.waiting.length > QUEUE_BYTES) source.pause()
    })
    source.on('close', () => (download.isOver = true))
    browser.on('close', () => {
      downloads.delete(download)
      source.destroy()
    })
    // Either side may leave.
    for (const socket of [source, browser]) socket.on('error', () => socket.destroy())
  })
  const startedAt = performance.now()
  let budget = 0
  let lastAt = startedAt
  const timer = setInterval(() => {
    const now = performance.now()
    const bitsPerSecond = trace[Math.floor((now - startedAt) / TRACE_STEP_MS) % trace.length] ?? 0
    // Unused capacity does not accumulate.
    budget = Math.min(budget, PACKET_BYTES) + (((now - lastAt) / 1000) * bitsPerSecond) / 8
    lastAt = now
    for (let isBusy = true; isBusy && budget > 0;) {
      isBusy = false
      for (const download of downloads) {
        const packet = download.waiting.subarray(0, PACKET_BYTES)
        if (packet.length === 0 || budget <= 0) continue
        isBusy = true
        budget -= packet.length
        download.browser.write(packet)
        download.waiting = download.waiting.subarray(packet.length)
      }
    }
    for (const { source, browser, waiting, isOver } of downloads) {
      if (waiting.length < QUEUE_BYTES / 2) source.resume()
      if (waiting.length === 0 && isOver) browser.end()
    }
  }, TICK_MS)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      clearInterval(timer)
      server.close()
      for (const { browser } of downloads) browser.destroy()
    },
  }
}
