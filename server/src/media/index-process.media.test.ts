import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { drawClip } from '../testing/test-clips.ts'
import { type IndexRequest, readIndexApart } from './index-process.ts'

let directory: string
let film: IndexRequest
/** Reading it goes round in circles. */
let torn: IndexRequest

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-index-'))
  film = { path: path.join(directory, 'film.webm'), container: 'webm' }
  torn = { path: path.join(directory, 'torn.webm'), container: 'webm' }
  const bytes = await drawClip('webm')
  await writeFile(film.path, bytes)
  await writeFile(torn.path, Buffer.from(bytes).fill(0, Math.round(bytes.length * 0.6)))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** The readers that a process has started, by the system's account. */
async function readersOf(parent: number | undefined): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const isReader = async (pid: number) => {
    const [status, command] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ])
    return new RegExp(`^PPid:\\s${parent}$`, 'm').test(status) && command.includes('index-reader.ts')
  }
  const found = await Promise.all(pids.map(async (pid) => ((await isReader(pid)) ? [pid] : [])))
  return found.flat()
}

/** Never 0, which would be this process with all that it runs. */
function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('there is no reader')
  process.kill(pid, 'SIGKILL')
}

const isRunning = async (pid: number | undefined) =>
  /^State:\s[^ZX]/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))

const bounds = { timeoutMs: 600_000, cpuSeconds: 600 }

test('whose reader is killed hears of it, and the next one gets another', async () => {
  const reading = readIndexApart(torn, bounds)
  await expect.poll(() => readersOf(process.pid)).toHaveLength(1)
  const [reader] = await readersOf(process.pid)
  kill(reader)
  await expect(reading).rejects.toThrow('the reader ended')
  expect(await readIndexApart(film, bounds)).toMatchObject({ isBrokenOff: false })
})

test('a kept reader that is killed is replaced', async () => {
  await readIndexApart(film, bounds)
  const [kept] = await readersOf(process.pid)
  kill(kept)
  await expect.poll(() => isRunning(kept)).toBe(false)
  await expect
    .poll(() => readIndexApart(film, bounds).catch(() => undefined))
    .toMatchObject({ isBrokenOff: false })
})

test('a reader that is busy goes when the process that asked it is killed', async () => {
  const module = path.join(import.meta.dirname, 'index-process.ts')
  const asking = `import { readIndexApart } from ${JSON.stringify(module)}
    await readIndexApart(${JSON.stringify(torn)}, ${JSON.stringify(bounds)})`
  const parent: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', asking])
  onTestFinished(() => void parent.kill('SIGKILL'))
  await expect.poll(() => readersOf(parent.pid)).toHaveLength(1)
  const [reader] = await readersOf(parent.pid)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await expect.poll(() => isRunning(reader)).toBe(false)
})

test('a reader learns nothing of the environment', async () => {
  await readIndexApart(film, bounds)
  const [reader] = await readersOf(process.pid)
  const names = (await readFile(`/proc/${reader}/environ`, 'utf8'))
    .split('\0')
    .map((line) => line.split('=')[0])
  expect(names.filter((name) => !/^(PATH|MALLOC_ARENA_MAX|NODE_.*)?$/.test(name ?? ''))).toEqual([])
})
