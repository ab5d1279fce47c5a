import { getTranscription } from '@kinora/contract/videos/transcriptions.ts'
import { SPEECH_SAMPLE_RATE, type SpeechEngine } from '@kinora/media/speech/speech.ts'
import { ProcessLocks } from '@kinora/platform/db/process-locks.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { transcribe } from './jobs.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let file: { source: string; sourceKey: string }

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  const { id } = await publishSource(site, 'tide.mp4', h264)
  const { source, sourceKey } = await site.db
    .selectFrom('videos')
    .select(['source', 'sourceKey'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  file = { source: JSON.stringify(source), sourceKey }
})
afterAll(() => site.close())
beforeEach(() => site.db.deleteFrom('videos').execute())

const addSpokenVideo = () =>
  addVideo(site, owner.user._id, { ...file, durationSeconds: 10, processingState: 'ready', language: 'en' })
const stateOf = async (id: string) => (await owner.client.call(getTranscription, { params: { id } })).state

/** A worker on a machine, which calls `onPiece` before it recognizes a piece. */
function workerOn(machine: string, onPiece: () => Promise<void> = async () => undefined) {
  const seen = { pieces: 0, ends: 0 }
  const engine: SpeechEngine = {
    languages: null,
    // nothing in what is left after a pause
    findSpeech: async ({ length }) =>
      length === 10 * SPEECH_SAMPLE_RATE ? [{ fromSeconds: 1, toSeconds: 2 }] : [],
    transcribe: async (_, { language }) => {
      await onPiece()
      seen.pieces += 1
      return { language, words: [{ text: 'tide', startSeconds: 0, endSeconds: 1 }] }
    },
    detectLanguage: async () => 'en',
    end: () => void (seen.ends += 1),
  }
  const locks = new ProcessLocks(site.databaseUrl, site.context.log)
  const speech = { machine, isInstalled: async () => true, open: async () => engine }
  const run = () => transcribe.handle({}, { ...site.context, locks, speech }, new AbortController().signal)
  return { seen, run, locks, [Symbol.asyncDispose]: () => locks.close() }
}

test('a machine has one run at a time, and another machine takes the next video', async () => {
  const videos = [await addSpokenVideo(), await addSpokenVideo()]
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await using first = workerOn('one', async () => {
    begun.resolve()
    await gate.promise
  })
  await using neighbour = workerOn('one')
  await using other = workerOn('two')
  const running = first.run()
  await begun.promise
  await neighbour.run()
  await other.run()
  const states = await Promise.all(videos.map(stateOf))
  expect(states.toSorted()).toEqual(['done', 'running'])
  gate.resolve()
  await running
  expect([first.seen.pieces, neighbour.seen.pieces, other.seen.pieces]).toEqual([1, 0, 1])
  expect(await Promise.all(videos.map(stateOf))).toEqual(['done', 'done'])
  const last = await addSpokenVideo()
  await neighbour.run()
  expect(await stateOf(last)).toBe('done')
})

test('a worker that loses its connection, and its locks with it, stops after the piece', async () => {
  const id = await addSpokenVideo()
  await using worker = workerOn('one', () => worker.locks.close())
  await worker.run()
  expect(await stateOf(id)).toBe('running')
  await using next = workerOn('one')
  await next.run()
  expect([await stateOf(id), next.seen.pieces]).toEqual(['done', 0])
})

test('keeps the models for the next run after a pause, and ends their process when nothing is left', async () => {
  const id = await addSpokenVideo()
  // as if another run had the lock
  await using worker = workerOn('one', () => worker.locks.release('transcriptions on one'))
  await worker.run()
  expect([await stateOf(id), worker.seen.ends]).toEqual(['running', 0])
  await worker.run()
  expect([await stateOf(id), worker.seen.ends]).toEqual(['done', 1])
})
