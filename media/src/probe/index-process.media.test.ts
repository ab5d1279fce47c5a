import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { drawClip } from '../testing/test-clips.ts'
import { type IndexRequest, readIndexInChild } from './index-process.ts'

let directory: string
let video: IndexRequest
/** Reading it never ends. */
let truncated: IndexRequest

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-index-'))
  video = { path: path.join(directory, 'video.webm'), container: 'webm' }
  truncated = { path: path.join(directory, 'truncated.webm'), container: 'webm' }
  const bytes = await drawClip('webm')
  await writeFile(video.path, bytes)
  await writeFile(truncated.path, Buffer.from(bytes).fill(0, Math.round(bytes.length * 0.6)))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Index readers that a process has started, according to the system. One that is still starting is not counted. */
async function readersOf(parent: number | undefined): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const isReader = async (pid: number) => {
    const [status, command] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ])
    return new RegExp(`^PPid:\\s${parent}$`, 'm').test(status) && isReading.test(command)
  }
  const found = await Promise.all(pids.map(async (pid) => ((await isReader(pid)) ? [pid] : [])))
  return found.flat()
}

/** The command line after Node has replaced the channel to the parent. */
const isReading = /^[^\0]*node\0(?:[^\0]*\0)*[^\0]*index-reader\.ts\0/

/** The first index reader of a process, once it exists. */
async function readerOf(parent: number | undefined): Promise<number> {
  return vi.waitUntil(async () => (await readersOf(parent))[0], { timeout: 60_000 })
}

const kill = (pid: number) => process.kill(pid, 'SIGKILL')

const isRunning = async (pid: number) =>
  /^State:\s[^ZX]/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))

const bounds = { timeoutMs: 600_000, cpuSeconds: 600 }

test('rejects when the index reader is killed, and starts another for the next request', async () => {
  const reading = readIndexInChild(truncated, bounds)
  kill(await readerOf(process.pid))
  await expect(reading).rejects.toThrow('the reader ended')
  expect(await readIndexInChild(video, bounds)).toMatchObject({ isBrokenOff: false })
})

test('replaces an idle reader that was killed', async () => {
  await readIndexInChild(video, bounds)
  const kept = await readerOf(process.pid)
  kill(kept)
  await expect.poll(() => isRunning(kept)).toBe(false)
  await expect
    .poll(() => readIndexInChild(video, bounds).catch(() => undefined))
    .toMatchObject({ isBrokenOff: false })
})

test('a busy reader exits when its parent is killed', async () => {
  const module = path.join(import.meta.dirname, 'index-process.ts')
  const asking = `import { readIndexInChild } from ${JSON.stringify(module)}
    await readIndexInChild(${JSON.stringify(truncated)}, ${JSON.stringify(bounds)})`
  const parent: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', asking])
  onTestFinished(() => void parent.kill('SIGKILL'))
  const reader = await readerOf(parent.pid)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await expect.poll(() => isRunning(reader)).toBe(false)
})

test('a reader whose parent died before its start reads nothing', async () => {
  const reader = fork(path.join(import.meta.dirname, 'index-reader.ts'), ['reader', '1'], {
    serialization: 'advanced',
    execArgv: [],
  })
  onTestFinished(() => void reader.kill('SIGKILL'))
  reader.send(truncated)
  expect(await once(reader, 'exit')).toEqual([0, null])
})

test('the reader inherits no environment', async () => {
  await readIndexInChild(video, bounds)
  const reader = await readerOf(process.pid)
  const names = (await readFile(`/proc/${reader}/environ`, 'utf8'))
    .split('\0')
    .map((line) => line.split('=')[0])
  expect(names.filter((name) => !/^(PATH|MALLOC_ARENA_MAX|NODE_.*)?$/.test(name ?? ''))).toEqual([])
})
