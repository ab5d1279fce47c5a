import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Log } from '@kinora/platform/log.ts'
import { Silence, watchdogTimes } from '@kinora/platform/watchdog.ts'
import { keepRunning } from './child.ts'

const polling = { timeout: 60_000, interval: 20 }

test.each([
  // the signal after which it prints its stack
  ['whose event loop is blocked', 'SIGUSR2', { code: null, signal: 'SIGINT' }],
  ['that is stopped', 'SIGSTOP', { code: null, signal: 'SIGKILL' }],
] as const)('restarts a process %s', async (_, signal, end) => {
  const lines: Record<string, unknown>[] = []
  const error = (details: object, message: string) => void lines.push({ message, ...details })
  const times = { ...watchdogTimes, silentProcessMs: 1500, graceMs: 50 }
  const directory = mkdtempSync(join(tmpdir(), 'kinora-silent-'))
  const file = join(directory, 'pids')
  const program = {
    module: join(import.meta.dirname, 'fixtures/blocking-program.ts'),
    args: [file],
    env: process.env,
  }
  const child = keepRunning(program, { error } as unknown as Log, times)
  onTestFinished(() => {
    child.kill()
    rmSync(directory, { recursive: true })
  })
  const started = () =>
    readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1).map(Number)
  await expect.poll(() => started().length, polling).toBe(1)
  const [pid = 0] = started()
  process.kill(pid, signal)
  await expect
    .poll(() => lines, polling)
    .toMatchObject([
      { message: 'child does not respond, restarting', child: 'blocking-program', childPid: pid },
      { message: 'child crashed, restarting', ...end },
    ])
  await expect.poll(() => started().length, polling).toBe(2)
})

test('starts a process later that the system could not start', async () => {
  const lines: Record<string, unknown>[] = []
  const error = (details: object, message: string) => void lines.push({ message, ...details })
  const directory = mkdtempSync(join(tmpdir(), 'kinora-silent-'))
  const file = join(directory, 'pids')
  const program = {
    module: join(import.meta.dirname, 'fixtures/blocking-program.ts'),
    args: [file],
    env: process.env,
  }
  const { execPath } = process
  onTestFinished(() => {
    process.execPath = execPath
  })
  process.execPath = join(directory, 'missing')
  const child = keepRunning(program, { error } as unknown as Log)
  onTestFinished(() => {
    child.kill()
    rmSync(directory, { recursive: true })
  })
  await expect.poll(() => lines, polling).toMatchObject([{ message: 'child crashed, restarting' }])
  process.execPath = execPath
  await expect.poll(() => readFileSync(file, { encoding: 'utf8', flag: 'a+' }), polling).not.toBe('')
  expect(child.crashes).toBe(1)
})

test('a pause of the observer counts as one interval', () => {
  const silence = new Silence(2000)
  const startedAt = performance.now()
  silence.measure(startedAt)
  silence.reset()
  expect(silence.measure(startedAt + 1000)).toBeCloseTo(1000)
  // the machine was suspended for an hour
  expect(silence.measure(startedAt + 3_600_000)).toBeCloseTo(3000)
  silence.reset()
  expect(silence.measure(startedAt + 3_601_000)).toBeCloseTo(1000)
})
