import { once } from 'node:events'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { startGuard } from './server.ts'

test('goes on without a guard that the system could not start', async () => {
  const lines: string[] = []
  const log = { info: () => undefined, warn: (_: object, message: string) => void lines.push(message) }
  const launcher = { home: temporaryDirectory() } as Parameters<typeof startGuard>[0]['launcher']
  await once(startGuard({ launcher, log }, process.pid, '/nowhere/sh'), 'error')
  expect(lines).toEqual(['guard of the embedded database not started'])
})
