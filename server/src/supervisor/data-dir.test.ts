import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../testing/start-site.ts'
import { lockDataDir } from './data-dir.ts'

test('is held by one, until it gives it back', () => {
  const dataDir = temporaryDirectory()
  const lock = lockDataDir(dataDir)
  expect(lock?.wasStale).toBe(false)
  expect(lockDataDir(dataDir)).toBeUndefined()
  lock?.release()
  expect(lockDataDir(dataDir)?.wasStale).toBe(false)
})

test('is taken over from a process that is gone', () => {
  const dataDir = temporaryDirectory()
  writeFileSync(join(dataDir, 'kinora.lock'), `${2 ** 22 + 1} 1 some-boot`)
  expect(lockDataDir(dataDir)?.wasStale).toBe(true)
})

test('is taken over when another process got the number of the dead one', () => {
  const dataDir = temporaryDirectory()
  const file = join(dataDir, 'kinora.lock')
  lockDataDir(dataDir)
  const [pid, started = '', boot] = readFileSync(file, 'utf8').split(' ')
  writeFileSync(file, [pid, Number(started) - 1, boot].join(' '))
  expect(lockDataDir(dataDir)?.wasStale).toBe(true)
})

test('is not taken from an owner that is just writing it, but from one that died doing so', () => {
  const dataDir = temporaryDirectory()
  const file = join(dataDir, 'kinora.lock')
  writeFileSync(file, '')
  expect(lockDataDir(dataDir)).toBeUndefined()
  const before = new Date(Date.now() - 60_000)
  utimesSync(file, before, before)
  expect(lockDataDir(dataDir)?.wasStale).toBe(true)
})

test('giving it back does not touch the lock of a successor', () => {
  const dataDir = temporaryDirectory()
  const file = join(dataDir, 'kinora.lock')
  const lock = lockDataDir(dataDir)
  writeFileSync(file, '1 1 successor')
  lock?.release()
  expect(existsSync(file)).toBe(true)
})
