import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { getTranscription } from '@kinora/contract/videos/transcriptions.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { SPEECH_SAMPLE_RATE } from '@kinora/media/speech/speech.ts'
import { drawFileUncached } from '@kinora/media/testing/draw-file.ts'
import { testVoiceModel } from '@kinora/media/testing/speech-models.ts'
import { writeTinyWhisper } from '@kinora/media/testing/tiny-whisper.ts'
import { listProcesses } from '@kinora/platform/testing/processes.ts'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { installModel } from './actions/install-model.ts'
import { transcribe } from './jobs.ts'

const sample = fileURLToPath(import.meta.resolve('@kinora/media/speech/sample.ts')).replace(/ts$/, 'wav')
const picture = '-f lavfi -i color=s=64x48:r=1'
const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -b:a 32k'

let site: TestApp
let client: Awaited<ReturnType<typeof signUp>>['client']
const workers: ChildProcess[] = []

describe.skipIf(testVoiceModel === null)('with the installed models', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
    const { dataDir } = site.context.config
    const folder = path.join(dataDir, 'whisper-tiny')
    writeTinyWhisper(folder, [{ words: ['Good', 'morning.'], from: 0, to: 2 }])
    for (const source of [folder, testVoiceModel ?? ''])
      await installModel(source, { dataDir, importAllowedAddresses: [] })
    ;({ client } = await signUp(site))
  })
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    await site.close()
  }, 60_000)

  const draw = (args: string) => drawFileUncached(args.split(' '), 'mp4')
  /** A clip in which somebody speaks every five seconds. */
  const drawSpeech = (minutes: number) =>
    draw(
      `${picture} -i ${sample} -filter_complex [1:a]apad=whole_dur=5,aloop=-1:${5 * SPEECH_SAMPLE_RATE}[a] -map 0 -map [a] -t ${minutes * 60} ${codecs}`,
    )
  const stateOf = (id: string) => client.call(getTranscription, { params: { id } })
  const sentencesOf = async (id: string) => {
    const [video] = await client.call(getVideo, { params: { id } })
    const { text } = await client.get(video?.captions?.[0]?.url ?? '')
    return [...text.matchAll(/Good morning\./g)].length
  }

  /** A worker as a process of its own, with a job to do. */
  async function startWorker(): Promise<ChildProcess> {
    const worker = spawn(process.execPath, [path.join(import.meta.dirname, '../../../bin/worker.ts')], {
      env: {
        ...process.env,
        DATABASE_URL: site.databaseUrl,
        DATA_DIR: site.context.config.dataDir,
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    workers.push(worker)
    await site.context.jobs.enqueue(site.db, transcribe, {})
    return worker
  }

  /** Stored pieces of a video; `version` changes with each write. */
  async function partsOf(id: string) {
    const { rows } = await sql<{ toSeconds: number; version: string }>`
      select to_seconds, xmin::text as version from transcription_parts where video_id = ${id}
      order by from_seconds`.execute(site.db)
    return rows
  }
  const engines = (parent: number | undefined) =>
    listProcesses().filter((each) => each.parent === parent && each.args.includes('speech-process.ts'))

  test('a worker killed in the middle loses nothing that was stored, and its engine ends with it', async () => {
    const { _id: id } = await upload(client, 'Killed worker', await drawSpeech(20))
    const first = await startWorker()
    await expect
      .poll(async () => (await partsOf(id)).length, { timeout: 120_000, interval: 20 })
      .toBeGreaterThan(2)
    const [engine] = engines(first.pid)
    first.kill('SIGKILL')
    await expect.poll(() => listProcesses().some(({ pid }) => pid === engine?.pid)).toBe(false)
    const kept = await partsOf(id)
    expect(await stateOf(id)).toMatchObject({ state: 'running' })
    const second = await startWorker()
    await expect
      .poll(async () => (await partsOf(id)).length, { timeout: 120_000, interval: 20 })
      .toBeGreaterThan(kept.length + 2)
    expect((await partsOf(id)).slice(0, kept.length)).toEqual(kept)
    // and the engine of the next one
    for (const { pid } of engines(second.pid)) process.kill(pid, 'SIGKILL')
    await expect.poll(async () => (await stateOf(id)).state, { timeout: 180_000, interval: 200 }).toBe('done')
    expect(await sentencesOf(id)).toBe(20 * 12)
    second.kill('SIGTERM')
  })

  test('an hour of speech takes no more memory than a minute', async () => {
    const { _id: id } = await upload(client, 'An hour', await drawSpeech(60))
    const peakOf = (pid: number) =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    const peaks = { worker: 0, engine: 0 }
    const worker = await startWorker()
    const measure = () => {
      peaks.worker = peakOf(worker.pid ?? 0)
      for (const { pid } of engines(worker.pid)) peaks.engine = peakOf(pid)
    }
    const hasMinutes = async (minutes: number) => {
      measure()
      const { state, progress } = await stateOf(id)
      return state === 'done' || progress * 60 > minutes
    }
    await expect.poll(() => hasMinutes(6), { timeout: 180_000, interval: 200 }).toBe(true)
    const before = { ...peaks }
    await expect.poll(() => hasMinutes(57), { timeout: 400_000, interval: 500 }).toBe(true)
    expect(peaks.engine - before.engine).toBeLessThan(40)
    expect(peaks.worker - before.worker).toBeLessThan(60)
    await expect.poll(async () => (await stateOf(id)).state, { timeout: 60_000 }).toBe('done')
    expect(await sentencesOf(id)).toBe(60 * 12)
    worker.kill('SIGTERM')
  })

  test('four hours of silence end soon without text', async () => {
    const clip = await draw(
      `${picture} -f lavfi -i anullsrc=r=16000:cl=mono -map 0 -map 1 -t ${4 * 3600} ${codecs}`,
    )
    const { _id: id } = await upload(client, 'Silence', clip)
    const startedAt = performance.now()
    const worker = await startWorker()
    await expect
      .poll(async () => (await stateOf(id)).state, { timeout: 300_000, interval: 200 })
      .toBe('silent')
    const seconds = (performance.now() - startedAt) / 1000
    expect(seconds).toBeLessThan(240)
    worker.kill('SIGTERM')
  })
})
