import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runTool } from './ffmpeg.ts'

/** Bytes that come now and then, more than any pipe holds. */
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
  ['is content without its input', 'exit 0', 'undefined'],
  ['is content with a part of it', 'head -c 100000 >/dev/null', 'undefined'],
  ['fails without it', 'exit 3', 'ended with 3'],
])('a program that %s ends, and its input with it', async (_, does, failure) => {
  let hasEnded = false
  const input = slowBytes(() => (hasEnded = true))
  const run = runTool('sh', ['-c', does], { input, isUnsandboxed: true, timeoutMs: 60_000 })
  expect(await run.then(String, String)).toContain(failure)
  await expect.poll(() => hasEnded).toBe(true)
})

test('input that fails ends the program, which is what is told', async () => {
  // oxlint-disable-next-line require-yield
  async function* broken(): AsyncGenerator<Uint8Array> {
    throw new Error('the film is no film')
  }
  const run = runTool('sleep', ['600'], { input: broken(), isUnsandboxed: true, timeoutMs: 60_000 })
  await expect(run).rejects.toThrow('the film is no film')
})
