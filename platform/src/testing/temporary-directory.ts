import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Registers a cleanup: of the test, unless a whole file shares what is started. */
export type AtEnd = (cleanUp: () => void | Promise<void>) => void

/** A directory that is deleted after the test. */
export function temporaryDirectory(atEnd: AtEnd = onTestFinished): string {
  const directory = mkdtempSync(join(tmpdir(), 'kinora-start-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}
