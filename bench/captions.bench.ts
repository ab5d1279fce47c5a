import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Transcription } from '@kinora/contract/videos/transcriptions.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { testVoiceModel } from '@kinora/media/testing/speech-models.ts'
import { writeTinyWhisper } from '@kinora/media/testing/tiny-whisper.ts'
import { launchBrowser } from './browser.ts'
import { median, uploadAndWait, type UploadTimes } from './first-frame.ts'
import { childrenOf, ownCpuSeconds } from './processes.ts'
import { makeClip, picture, startProduct } from './product.ts'
import { report, type Row } from './report.ts'

/**
 * Uploads, first frames and segments while captions of a long video are written, relative to the same without, in
 * alternating rounds. The engine is the real one, with Silero VAD and a tiny model in the form of Whisper: most of its time
 * is that of finding speech. A recognizer that understands speech uses the processor in the same way, but for longer.
 */
const rounds = 6
const speechSeconds = 2 * 3600
const sample = join(import.meta.dirname, '../media/src/speech/sample.wav')
/** A process that used less of a processor within half a second does nothing. */
const idleCpuSeconds = 0.02

if (testVoiceModel === null) throw new Error('There is no model that finds speech: run npm test once.')
const directory = mkdtempSync(join(tmpdir(), 'kinora-captions-'))
const product = await startProduct({ PREPARE_POLICY: 'none', CAPTIONS_POLICY: 'request' })
const browser = await launchBrowser()
try {
  installModels(testVoiceModel)
  const speech = join(directory, 'speech.mp4')
  const repeated = `[1:a]aformat=sample_rates=16000,apad=whole_dur=4,aloop=-1:64000[a]`
  makeClip(
    speech,
    `-f lavfi -i color=s=64x48:r=1 -i ${sample} -filter_complex ${repeated} -map 0 -map [a] -t ${speechSeconds} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -b:a 32k`,
  )
  const long = await product.upload(speech, 'Hours of speech')
  const transcription = `/studio/videos/${long.video._id}/transcription`
  const clip = join(directory, 'clip.mp4')
  makeClip(
    clip,
    '-f lavfi -i testsrc2=s=854x480:r=24:d=60 -f lavfi -i sine=d=60:r=48000 -c:v libx264 -preset veryfast -pix_fmt yuv420p -g 48 -c:a aac',
  )
  const thumbnail = join(directory, 'thumbnail.png')
  writeFileSync(thumbnail, await picture())
  const seen: Record<'without' | 'beside', Times[]> = { without: [], beside: [] }
  const measure = async (title: string): Promise<Times> => ({
    ...(await uploadAndWait(browser, product, { file: clip, thumbnail, title })),
    segmentMs: await encodeSegment(clip, title),
  })
  for (let round = 0; round < rounds; round += 1) {
    seen.without.push(await measure(`Without ${round}`))
    await product.call('POST', transcription, { language: 'en' })
    await untilWorking(transcription)
    seen.beside.push(await measure(`Beside ${round}`))
    await product.call('DELETE', transcription)
    await untilIdle()
  }
  const measures: [measured: string, of: keyof Times][] = [
    ['response after the last byte of an upload', 'respondedMs'],
    ['then first frame', 'playMs'],
    ['segment that has to be encoded', 'segmentMs'],
  ]
  const rows: Row[] = measures.map(([measured, of]) => {
    const [without, beside] = [seen.without, seen.beside].map((times) =>
      median(times.map((each) => each[of])),
    ) as [number, number]
    return {
      measured,
      rounds,
      'without captions, ms': Math.round(without),
      'while captions are written, ms': Math.round(beside),
      ratio: Math.round((beside / without) * 100) / 100,
    }
  })
  report('captions', {}, rows)
} finally {
  await browser.close()
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

type Times = UploadTimes & { segmentMs: number }

/** Milliseconds from the request of a segment that nobody has encoded to its last byte. */
async function encodeSegment(file: string, title: string): Promise<number> {
  const { video } = await product.upload(file, title)
  const requestedAt = performance.now()
  const response = await fetch(`${product.url}/media/videos/${video._id}/${SEGMENT_FORMAT}/240/1.m4s`)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The segment returned ${response.status}`)
  return performance.now() - requestedAt
}

function installModels(voiceModel: string): void {
  const recognizer = join(directory, 'whisper-tiny')
  writeTinyWhisper(recognizer, [{ words: ['Good', 'morning.'], from: 0, to: 2 }])
  const cli = join(import.meta.dirname, '../server/dist/cli.js')
  for (const source of [recognizer, voiceModel])
    execFileSync(process.execPath, [cli, 'captions', 'install', source], {
      env: { ...process.env, DATA_DIR: product.dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
}

/** Waits until pieces of the video are recognized; workers look for videos every minute. */
async function untilWorking(transcription: string): Promise<void> {
  const { progress } = await product.call<Transcription>('GET', transcription)
  for (;;) {
    const now = await product.call<Transcription>('GET', transcription)
    if (now.state === 'running' && now.progress > progress) return
    if (now.state === 'failed') throw new Error(`Captions failed: ${now.reason}`)
    await delay(200)
  }
}

/** Waits until the process of the engine, which keeps its models for a while, does nothing. */
async function untilIdle(): Promise<void> {
  const engines = childrenOf(product.pids.worker)
  const used = () => engines.reduce((sum, pid) => sum + ownCpuSeconds(pid), 0)
  for (;;) {
    const before = used()
    await delay(500)
    if (used() - before < idleCpuSeconds) return
  }
}
