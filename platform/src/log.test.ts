import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { logErrorsFolded } from './log.ts'

const module = JSON.stringify(join(import.meta.dirname, 'log.ts'))

test.each([
  ['web', 'stdout'],
  ['cli', 'stderr'],
] as const)('the log of %s is written to %s', (role, stream) => {
  const program = `(await import(${module})).createLog('error', '${role}').error('a line')`
  const output = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(JSON.parse(output[stream])).toMatchObject({ role, msg: 'a line' })
  expect(output.stdout + output.stderr).toBe(output[stream])
})

test('keeps a text with line breaks in one line', () => {
  const text = 'a title\r\n{"level":"error"}\u2028'
  const program = `(await import(${module})).createLog('error', 'web').error({ text: ${JSON.stringify(text)} }, 'line\\nbreak')`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(stdout)).toMatchObject({ text, msg: 'line\nbreak' })
})

test('logs equal errors once per interval, with the number of omitted ones', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  const fail = logErrorsFolded(log, 'queue failed', 1000)
  for (let n = 0; n < 3; n += 1) fail(new Error('refused'))
  fail(new Error('reset'))
  // a plain object, as pg-boss emits it
  fail({ message: 'unreachable', queue: 'prepare' })
  for (const worker of [1, 2]) fail({ message: `closed (Queue: videos.prepare, Worker: ${worker})` })
  vi.advanceTimersByTime(1000)
  fail(new Error('refused'))
  vi.useRealTimers()
  expect(lines.map(({ reason, repeated }) => [reason, repeated])).toEqual([
    ['refused', undefined],
    ['reset', undefined],
    ['unreachable', undefined],
    ['closed', undefined],
    ['refused', 2],
  ])
})
