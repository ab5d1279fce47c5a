import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listen } from '../testing/listen.ts'
import { PreforkedProcess } from './preforked-process.ts'
import { withoutNetwork } from './sandbox.ts'

const script = fileURLToPath(new URL('../testing/connecting-process.ts', import.meta.url))

async function connectFrom(options: { hasNetwork?: boolean }, port: number): Promise<string> {
  const child = new PreforkedProcess<number, string>({
    script,
    role: 'tester',
    heapMegabytes: 64,
    ...options,
  })
  try {
    return await child.request(port, { timeoutMs: 60_000, cpuSeconds: 30 })
  } finally {
    child.end()
  }
}

test('a process without network cannot connect to this machine', async ({ skip }) => {
  if (withoutNetwork().length === 0) skip('this system allows no network namespaces')
  const server = createServer((socket) => socket.end())
  const port = Number(new URL(await listen(server)).port)
  expect(await connectFrom({}, port)).toBe('connected')
  expect(await connectFrom({ hasNetwork: false }, port)).toBe('failed')
  server.close()
})
