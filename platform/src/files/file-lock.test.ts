import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { lockFile } from './file-lock.ts'

/** Root may write every file. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test.for(['shared', 'exclusive'] as const)('a file that may not be written: %s lock', (kind) => {
  const directory = temporaryDirectory()
  const file = join(directory, 'lock.db')
  writeFileSync(file, '')
  chmodSync(directory, 0o755)
  chmodSync(file, 0o444)
  const lock = lockFile(file, 'shared')
  onTestFinished(() => lock?.close())
  const script = `
    const { lockFile } = await import(${JSON.stringify(new URL('file-lock.ts', import.meta.url).href)})
    try {
      console.log(lockFile(${JSON.stringify(file)}, '${kind}') ? 'locked' : 'taken')
    } catch (error) {
      console.log(error.code)
    }`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    ...nobody,
    encoding: 'utf8',
  })
  expect(printed.trim()).toBe(kind === 'shared' ? 'locked' : 'EACCES')
})
