import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cpuSecondsOfProcess } from '@kinora/platform/process-cpu.ts'
import { listProcesses } from '@kinora/platform/testing/processes.ts'
import {
  FFMPEG_OOM_SCORE,
  type Sandbox,
  sandboxEnv,
  sandboxes,
  sandboxFor,
} from '@kinora/platform/sandbox/sandbox.ts'
import { runTool } from './ffmpeg.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-sandbox-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const at = (name: string) => path.join(directory, name)
const limits = { timeoutMs: 120_000 }
const endless = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-f', 'null', '-']

describe('a run', () => {
  test('is killed when it exceeds its memory limit', async () => {
    const huge = ['-f', 'lavfi', '-i', 'color=s=12000x12000:d=1', '-c:v', 'libx264', '-f', 'null', '-']
    const run = runTool('ffmpeg', ['-v', 'error', ...huge], { ...limits, memoryBytes: 2 ** 29 })
    await expect(run).rejects.toMatchObject({ name: 'FfmpegError', timedOut: false })
    const modest = ['-f', 'lavfi', '-i', 'color=s=160x90:d=1', '-f', 'null', '-']
    await runTool('ffmpeg', ['-v', 'error', ...modest], { ...limits, memoryBytes: 2 ** 29 })
  })

  test('is killed with all its processes when it exceeds its time limit', async () => {
    const mark = `mark=${Date.now()}`
    const run = runTool('ffmpeg', ['-v', 'error', ...endless, '-metadata', mark], { timeoutMs: 700 })
    await expect(run).rejects.toMatchObject({ name: 'FfmpegError', timedOut: true })
    await vi.waitUntil(() => !isRunning(mark), { timeout: 60_000 })
  })

  test.skipIf(spawnSync('choom', ['--version']).status !== 0)(
    'is killed first when the system runs out of memory',
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

  test('is killed with all its processes when aborted', async () => {
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

  test('says that it was killed, as by a system without memory', async () => {
    const mark = `mark=killed-${Date.now()}`
    const run = runTool('ffmpeg', ['-v', 'error', ...endless, '-metadata', mark], limits)
    run.catch(() => undefined)
    const find = () => listProcesses().find(({ args }) => args.includes(mark) && /^[^\0]*ffmpeg\0/.test(args))
    const { pid } = await vi.waitUntil(find, { timeout: 60_000 })
    process.kill(pid, 'SIGKILL')
    await expect(run).rejects.toMatchObject({ wasKilled: true })
  })

  test('is killed when aborted while its sandbox is being set up', async () => {
    for (let delayMs = 0; delayMs < 12; delayMs += 0.1) {
      const abort = new AbortController()
      const run = runTool('ffmpeg', ['-v', 'error', ...endless], { ...limits, signal: abort.signal })
      run.catch(() => undefined)
      await waitBriefly(delayMs)
      abort.abort(new Error('enough'))
      await expect(run).rejects.toThrow('enough')
    }
  })

  test.runIf(process.platform === 'linux')('counts its CPU time as ours', async () => {
    const [before, ownBefore] = [cpuSecondsOfProcess(), process.cpuUsage()]
    const picture = [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=1280x720',
      '-t',
      '3',
      '-c:v',
      'libx264',
      '-f',
      'null',
      '-',
    ]
    await runTool('ffmpeg', ['-v', 'error', ...picture], limits)
    const { user, system } = process.cpuUsage(ownBefore)
    expect(cpuSecondsOfProcess() - before).toBeGreaterThan((user + system) / 1e6 + 0.5)
  })

  test('writes to its outputs only', async () => {
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

  test('inherits no environment', async () => {
    let text = ''
    await runTool('env', [], { ...limits, onOutput: (_, chunk) => (text += String(chunk)) })
    expect(text).toContain('PATH=')
    const names = text.split('\n').flatMap((line) => line.split('=', 1).filter(Boolean))
    expect(Object.keys(sandboxEnv)).toEqual(
      expect.arrayContaining(names.filter((name) => !/^(PWD|_)$/.test(name))),
    )
  })
})

/** Runs a shell in a sandbox as `runTool` would. */
function inSandbox(
  sandbox: Sandbox,
  script: string,
  reads: string[] = [],
): { code: number | null; text: string } {
  const bounds = { reads, memoryBytes: 2 ** 30, timeoutMs: 10_000 }
  const [file = '', ...args] = sandbox.wrap(['bash', '-c', script], bounds)
  const { status, stdout } = spawnSync(file, args, { encoding: 'utf8', env: sandboxEnv, timeout: 60_000 })
  return { code: status, text: stdout }
}

const present = sandboxes.filter(
  (sandbox) => sandbox.name !== 'none' && inSandbox(sandbox, 'exit 0').code === 0,
)
const isolating = present.filter(({ name }) => name === 'bubblewrap' || name === 'namespaces')

test.each(present)('sandbox $name sets resource limits', (sandbox) => {
  const limited = inSandbox(sandbox, 'ulimit -d; ulimit -f; ulimit -n; ulimit -c').text.trim().split('\n')
  expect(limited).toEqual([String(2 ** 20), '0', '64', '0'])
  expect(Number(inSandbox(sandbox, 'ulimit -t').text)).toBeGreaterThanOrEqual(10)
})

/** Root is exempt from limits of processes. */
const ordinaryUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const countsProcesses = isolating.filter((sandbox) => {
  const [file = '', ...args] = sandbox.wrap(['true'], { reads: [], memoryBytes: 2 ** 30, timeoutMs: 10_000 })
  const { status } = spawnSync(file, args, { ...ordinaryUser, env: sandboxEnv, cwd: '/' })
  return status === 0 && args.some((arg) => arg.startsWith('--nproc='))
})

test.each(countsProcesses)('sandbox $name limits processes', async (sandbox) => {
  const bound = 64 * (1 + availableParallelism())
  expect(inSandbox(sandbox, 'ulimit -u').text.trim()).toBe(String(bound))
  const script = `for at in $(seq ${bound + 100}); do sleep 60 <&0 & done; echo all of them`
  const [file = '', ...args] = sandbox.wrap(['bash', '-c', script], {
    reads: [],
    memoryBytes: 2 ** 30,
    timeoutMs: 150_000,
  })
  const child = spawn(file, args, { ...ordinaryUser, env: sandboxEnv, cwd: '/', detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  await vi.waitUntil(() => /fork: .*\n|all of them/.test(output), { timeout: 120_000 })
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  expect(output).toMatch(/fork: .*Resource temporarily unavailable/)
})

test.each(isolating)('sandbox $name allows network access only if an input is remote', async (sandbox) => {
  let reached = 0
  const server = createServer((socket) => socket.end()).on('connection', () => (reached += 1))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const call = async (reads: string[]) => {
    const bounds = { reads, memoryBytes: 2 ** 30, timeoutMs: 10_000 }
    const [file = '', ...args] = sandbox.wrap(['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port}`], bounds)
    const [code] = await once(spawn(file, args, { stdio: 'ignore', env: sandboxEnv }), 'close')
    return code === 0
  }
  try {
    expect([await call([]), reached]).toEqual([false, 0])
    expect([await call(['https://storage.example/video.mp4']), reached]).toEqual([true, 1])
  } finally {
    server.close()
  }
})

test.each(isolating)('sandbox $name hides other processes', (sandbox) => {
  expect(inSandbox(sandbox, `cat /proc/${process.pid}/environ`).code).not.toBe(0)
})

test.each(present.filter(({ name }) => name === 'bubblewrap'))(
  'sandbox $name hides other files',
  (sandbox) => {
    const reads = [import.meta.filename]
    const listing = inSandbox(sandbox, `ls ${directory} ${import.meta.dirname}; true`, reads).text
    expect(listing.trim()).toBe(`${import.meta.dirname}:\n${path.basename(import.meta.filename)}`)
    expect(inSandbox(sandbox, 'cat /etc/passwd').code).not.toBe(0)
    expect(inSandbox(sandbox, `touch ${import.meta.filename}`, reads).code).not.toBe(0)
  },
)

test('uses the strongest sandbox that works, and names a missing program', async () => {
  expect(sandboxes).toContain(await sandboxFor('ffmpeg'))
  expect((await sandboxFor('ffmpeg')).name).toBe(present[0]?.name ?? 'none')
  expect((await sandboxFor('/nowhere/ffmpeg')).name).toBe('none')
  await expect(runTool('/nowhere/ffmpeg', [], limits)).rejects.toThrow(/ENOENT|No such file/)
})

/** Finer than the resolution of timers. */
async function waitBriefly(milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds
  while (performance.now() < until) await setImmediate()
}

function isRunning(text: string): boolean {
  return listProcesses().some(({ args }) => args.includes(text))
}
