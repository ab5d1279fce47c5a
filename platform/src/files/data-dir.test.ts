import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { lockDataDir, prepareDataDir } from './data-dir.ts'

const module = JSON.stringify(join(import.meta.dirname, 'data-dir.ts'))

/** Starts a process that takes the lock, reports whether it succeeded, and keeps it until it is killed. */
async function startOther(dataDir: string, through: string[] = []) {
  const program = `
    const lock = (await import(${module})).lockDataDir(${JSON.stringify(dataDir)})
    console.log(lock ? 'locked by ' + process.pid : 'is waiting')
    if (lock) setInterval(() => lock, 1000)`
  const [command, ...args] = [...through, process.execPath, '--input-type=module', '-e', program]
  const child = spawn(command ?? '', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output] = await once(child.stdout, 'data')
  return {
    output: String(output).trim(),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('can be locked once until it is released', () => {
  const dataDir = temporaryDirectory()
  const lock = lockDataDir(dataDir)
  expect(lock?.wasStale).toBe(false)
  expect(lockDataDir(dataDir)).toBeUndefined()
  lock?.release()
  const next = lockDataDir(dataDir)
  expect(next?.wasStale).toBe(false)
  // a second release does not affect the next owner
  lock?.release()
  expect(lockDataDir(dataDir)).toBeUndefined()
  next?.release()
})

test('is locked for other processes until its owner is killed', async () => {
  const dataDir = temporaryDirectory()
  const other = await startOther(dataDir)
  expect(other.output).toMatch(/^locked by /)
  expect(lockDataDir(dataDir)).toBeUndefined()
  expect((await startOther(dataDir)).output).toBe('is waiting')
  await other.kill()
  const lock = lockDataDir(dataDir)
  expect(lock?.wasStale).toBe(true)
  lock?.release()
})

test('is locked for another container, whose process ids start at 1', async ({ skip }) => {
  const container = ['unshare', '--map-root-user', '--pid', '--fork', '--kill-child']
  const tried = spawnSync(container[0] ?? '', [...container.slice(1), 'true'])
  skip(tried.status !== 0, 'this system does not allow PID namespaces')
  const dataDir = temporaryDirectory()
  const one = await startOther(dataDir, container)
  expect(one.output).toBe('locked by 1')
  expect((await startOther(dataDir, container)).output).toBe('is waiting')
  expect(lockDataDir(dataDir)).toBeUndefined()
  await one.kill()
  await expect.poll(async () => (await startOther(dataDir, container)).output).toBe('locked by 1')
})

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('is closed to other users, including new files', () => {
  const before = process.umask()
  onTestFinished(() => void process.umask(before))
  const dataDir = join(temporaryDirectory(), 'site')
  prepareDataDir(dataDir)
  const folder = join(dataDir, 'storage')
  const file = join(folder, 'source')
  mkdirSync(folder)
  writeFileSync(file, '')
  expect([dataDir, folder, file].map(modeOf)).toEqual(['750', '750', '640'])
  chmodSync(dataDir, 0o775)
  prepareDataDir(dataDir)
  expect(modeOf(dataDir)).toBe('770')
})
