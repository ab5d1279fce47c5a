import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runTool } from './ffmpeg.ts'

/** Bytes that arrive slowly, and exceed the capacity of any pipe. */
async function* slowBytes(onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    for (let round = 0; round < 100_000; round += 1) {
      yield Buffer.alloc(64 * 1024)
      await sleep(1)
    }
  } finally {
    onEnd()
  }
}

test.each([
  ['succeeds without reading', 'exit 0', 'undefined'],
  ['succeeds after a part of its input', 'head -c 100000 >/dev/null', 'undefined'],
  ['fails without reading', 'exit 3', 'ended with 3'],
])('input ends with a program that %s', async (_, does, failure) => {
  let hasEnded = false
  const input = slowBytes(() => (hasEnded = true))
  const run = runTool('sh', ['-c', does], { input, isUnsandboxed: true, timeoutMs: 60_000 })
  expect(await run.then(String, String)).toContain(failure)
  await expect.poll(() => hasEnded).toBe(true)
})

test('failing input ends the program and is the reported error', async () => {
  // oxlint-disable-next-line require-yield
  async function* broken(): AsyncGenerator<Uint8Array> {
    throw new Error('unreadable input')
  }
  const run = runTool('sleep', ['600'], { input: broken(), isUnsandboxed: true, timeoutMs: 60_000 })
  await expect(run).rejects.toThrow('unreadable input')
})
