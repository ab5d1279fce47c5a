import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listProcesses } from '../../testing/servers/processes.ts'
import { FFMPEG_OOM_SCORE, type Sandbox, sandboxEnv, sandboxes, sandboxFor } from './sandbox.ts'
import { runTool } from '../process/ffmpeg.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-box-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const at = (name: string) => path.join(directory, name)
const limits = { timeoutMs: 120_000 }
const endless = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-f', 'null', '-']

describe('a run', () => {
  test('that wants more memory than it may have is ended', async () => {
    const huge = ['-f', 'lavfi', '-i', 'color=s=12000x12000:d=1', '-c:v', 'libx264', '-f', 'null', '-']
    const run = runTool('ffmpeg', ['-v', 'error', ...huge], { ...limits, memoryBytes: 2 ** 29 })
    await expect(run).rejects.toMatchObject({ name: 'FfmpegError', timedOut: false })
    const modest = ['-f', 'lavfi', '-i', 'color=s=160x90:d=1', '-f', 'null', '-']
    await runTool('ffmpeg', ['-v', 'error', ...modest], { ...limits, memoryBytes: 2 ** 29 })
  })

  test('that never ends is ended, and nothing of it is left', async () => {
    const mark = `mark=${Date.now()}`
    const run = runTool('ffmpeg', ['-v', 'error', ...endless, '-metadata', mark], { timeoutMs: 700 })
    await expect(run).rejects.toMatchObject({ name: 'FfmpegError', timedOut: true })
    await vi.waitUntil(() => !isRunning(mark), { timeout: 60_000 })
  })

  test.skipIf(spawnSync('choom', ['--version']).status !== 0)(
    'is what the system ends first when it runs out of memory',
    async () => {
      const mark = `mark=oom-${Date.now()}`
      const abort = new AbortController()
      const run = runTool('ffmpeg', ['-v', 'error', ...endless, '-metadata', mark], {
        ...limits,
        signal: abort.signal,
      })
      run.catch(() => undefined)
      const processes = () => listProcesses().filter(({ args }) => args.includes(mark))
      await vi.waitUntil(() => processes().some(({ args }) => /^[^\0]*ffmpeg\0/.test(args)), {
        timeout: 60_000,
      })
      for (const { pid } of processes())
        expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe(String(FFMPEG_OOM_SCORE))
      abort.abort(new Error('enough'))
      await expect(run).rejects.toThrow('enough')
    },
  )

  test('that is aborted ends at once, and nothing of it is left', async () => {
    const mark = `mark=aborted-${Date.now()}`
    const abort = new AbortController()
    const run = runTool('ffmpeg', ['-v', 'error', ...endless, '-metadata', mark], {
      ...limits,
      signal: abort.signal,
    })
    run.catch(() => undefined)
    await vi.waitUntil(() => isRunning(mark), { timeout: 60_000 })
    abort.abort(new Error('enough'))
    await expect(run).rejects.toThrow('enough')
    await vi.waitUntil(() => !isRunning(mark), { timeout: 60_000 })
  })

  test('that is aborted while its box is being built ends too', async () => {
    for (let delayMs = 0; delayMs < 12; delayMs += 0.1) {
      const abort = new AbortController()
      const run = runTool('ffmpeg', ['-v', 'error', ...endless], { ...limits, signal: abort.signal })
      run.catch(() => undefined)
      await waitBriefly(delayMs)
      abort.abort(new Error('enough'))
      await expect(run).rejects.toThrow('enough')
    }
  })

  test('writes to its outputs and to no file', async () => {
    const args = [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'color=s=160x90:d=1',
      '-c:v',
      'mpeg4',
      '-f',
      'avi',
    ]
    await expect(runTool('ffmpeg', [...args, at('out.avi')], limits)).rejects.toMatchObject({
      name: 'FfmpegError',
    })
    expect(existsSync(at('out.avi')) ? readFileSync(at('out.avi')).length : 0).toBe(0)
    let bytes = 0
    await runTool('ffmpeg', [...args, 'pipe:1'], {
      ...limits,
      onOutput: (_, chunk) => (bytes += chunk.length),
    })
    expect(bytes).toBeGreaterThan(1000)
  })

  test('learns nothing of our environment', async () => {
    let text = ''
    await runTool('env', [], { ...limits, onOutput: (_, chunk) => (text += String(chunk)) })
    expect(text).toContain('PATH=')
    const names = text.split('\n').flatMap((line) => line.split('=', 1).filter(Boolean))
    expect(Object.keys(sandboxEnv)).toEqual(
      expect.arrayContaining(names.filter((name) => !/^(PWD|_)$/.test(name))),
    )
  })
})

/** Runs a shell in a box as `runTool` would; answers its exit code and what it said. */
function inSandbox(
  box: Sandbox,
  script: string,
  reads: string[] = [],
): { code: number | null; text: string } {
  const bounds = { reads, memoryBytes: 2 ** 30, timeoutMs: 10_000 }
  const [file = '', ...args] = box.wrap(['bash', '-c', script], bounds)
  const { status, stdout } = spawnSync(file, args, { encoding: 'utf8', env: sandboxEnv, timeout: 60_000 })
  return { code: status, text: stdout }
}

const present = sandboxes.filter((box) => box.name !== 'none' && inSandbox(box, 'exit 0').code === 0)
const walled = present.filter(({ name }) => name === 'bubblewrap' || name === 'namespaces')

test.each(present)('the box "$name" has limits', (box) => {
  const limited = inSandbox(box, 'ulimit -d; ulimit -f; ulimit -n; ulimit -c').text.trim().split('\n')
  expect(limited).toEqual([String(2 ** 20), '0', '64', '0'])
  expect(Number(inSandbox(box, 'ulimit -t').text)).toBeGreaterThanOrEqual(10)
})

/** Root is held by no limit of processes. */
const ordinaryUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const countsProcesses = walled.filter((box) => {
  const [file = '', ...args] = box.wrap(['true'], { reads: [], memoryBytes: 2 ** 30, timeoutMs: 10_000 })
  const { status } = spawnSync(file, args, { ...ordinaryUser, env: sandboxEnv, cwd: '/' })
  return status === 0 && args.some((arg) => arg.startsWith('--nproc='))
})

test.each(countsProcesses)('the box "$name" holds so many processes and no more', async (box) => {
  const bound = 64 * (1 + availableParallelism())
  expect(inSandbox(box, 'ulimit -u').text.trim()).toBe(String(bound))
  const script = `for at in $(seq ${bound + 100}); do sleep 60 <&0 & done; echo all of them`
  const [file = '', ...args] = box.wrap(['bash', '-c', script], {
    reads: [],
    memoryBytes: 2 ** 30,
    timeoutMs: 150_000,
  })
  const child = spawn(file, args, { ...ordinaryUser, env: sandboxEnv, cwd: '/', detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  await vi.waitUntil(() => /fork: .*\n|all of them/.test(said), { timeout: 120_000 })
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  expect(said).toMatch(/fork: .*Resource temporarily unavailable/)
})

test.each(walled)('the box "$name" reaches the network only where its input stands there', async (box) => {
  let reached = 0
  const server = createServer((socket) => socket.end()).on('connection', () => (reached += 1))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const call = async (reads: string[]) => {
    const bounds = { reads, memoryBytes: 2 ** 30, timeoutMs: 10_000 }
    const [file = '', ...args] = box.wrap(['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port}`], bounds)
    const [code] = await once(spawn(file, args, { stdio: 'ignore', env: sandboxEnv }), 'close')
    return code === 0
  }
  try {
    expect([await call([]), reached]).toEqual([false, 0])
    expect([await call(['https://storage.example/film.mp4']), reached]).toEqual([true, 1])
  } finally {
    server.close()
  }
})

test.each(walled)('the box "$name" keeps away from the processes around it', (box) => {
  expect(inSandbox(box, `cat /proc/${process.pid}/environ`).code).not.toBe(0)
})

test.each(present.filter(({ name }) => name === 'bubblewrap'))(
  'the box "$name" shows no other file',
  (box) => {
    const reads = [import.meta.filename]
    const listing = inSandbox(box, `ls ${directory} ${import.meta.dirname}; true`, reads).text
    expect(listing.trim()).toBe(`${import.meta.dirname}:\n${path.basename(import.meta.filename)}`)
    expect(inSandbox(box, 'cat /etc/passwd').code).not.toBe(0)
    expect(inSandbox(box, `touch ${import.meta.filename}`, reads).code).not.toBe(0)
  },
)

test('the strongest sandbox that works is used, and a missing program is named', async () => {
  expect(sandboxes).toContain(await sandboxFor('ffmpeg'))
  expect((await sandboxFor('ffmpeg')).name).toBe(present[0]?.name ?? 'none')
  expect((await sandboxFor('/nowhere/ffmpeg')).name).toBe('none')
  await expect(runTool('/nowhere/ffmpeg', [], limits)).rejects.toThrow(/ENOENT|No such file/)
})

/** Finer than timers are. */
async function waitBriefly(milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds
  while (performance.now() < until) await setImmediate()
}

/** Whether there is a process with the text among its arguments. */
function isRunning(text: string): boolean {
  return listProcesses().some(({ args }) => args.includes(text))
}
