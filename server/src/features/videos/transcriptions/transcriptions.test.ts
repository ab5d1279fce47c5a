import { getVideo } from '@kinora/contract/videos/videos.ts'
import {
  cancelTranscription,
  getChannelTranscriptions,
  getTranscription,
  putChannelTranscriptions,
  putTranscription,
  requestChannelTranscriptions,
  requestTranscription,
} from '@kinora/contract/videos/transcriptions.ts'
import { findMoments } from '@kinora/contract/watching/search.ts'
import { type SpeechEngine, SpeechFailed } from '@kinora/media/speech/speech.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { WebContext } from '../../../context/context.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addTestCaptions, addVideo } from '../../../testing/fixtures/test-videos.ts'
import { hasUrgentWork } from '../playback/actions/has-urgent-work.ts'
import { transcribe } from './jobs.ts'
import { recordRecognizer } from './queries.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
/** A file of ten seconds with a tone, as probing finds it. */
let file: { source: string; sourceKey: string }
const never = new AbortController().signal

beforeAll(async () => {
  site = await createTestApp()
  const { id } = await publishSource(site, 'tide.mp4', h264)
  const { source, sourceKey } = await site.db
    .selectFrom('videos')
    .select(['source', 'sourceKey'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  file = { source: JSON.stringify(source), sourceKey }
  site.context.speech = {
    machine: 'here',
    isInstalled: async () => installed !== undefined,
    open: async () => installed ?? engineOf([]).engine,
  }
})
afterAll(() => site.close())
beforeEach(async () => {
  await sql`delete from videos`.execute(site.db)
  await sql`delete from speech_recognizers`.execute(site.db)
  owner = await signUp(site)
  installed = undefined
})

const makeVideo = (values: object = {}) =>
  addVideo(site, owner.user._id, { ...file, durationSeconds: 10, processingState: 'ready', ...values })

/** An engine that hears these ranges, each with its number as its only word. */
function engineOf(
  ranges: [number, number][],
  {
    onPart = async () => undefined,
    ...rest
  }: Partial<SpeechEngine> & { onPart?: (part: number) => Promise<void> } = {},
) {
  const heard: { seconds: number; language: string | null }[] = []
  const engine: SpeechEngine = {
    languages: null,
    findSpeech: async () => ranges.map(([fromSeconds, toSeconds]) => ({ fromSeconds, toSeconds })),
    transcribe: async (pcm, { language }) => {
      await onPart(heard.length)
      heard.push({ seconds: pcm.length / 16_000, language })
      return { language, words: [{ text: `word${heard.length}`, startSeconds: 0, endSeconds: 1 }] }
    },
    detectLanguage: async () => 'de',
    end: () => undefined,
    ...rest,
  }
  return { engine, heard }
}

/** The engine that is installed. */
let installed: SpeechEngine | undefined

async function run(engine: SpeechEngine, settings: Partial<WebContext['config']> = {}, signal = never) {
  installed = engine
  await transcribe.handle({}, { ...site.context, config: { ...site.context.config, ...settings } }, signal)
}

const stateOf = (id: string) => owner.client.call(getTranscription, { params: { id } })
const captionsOf = async (id: string) => {
  const [video] = await site.client().call(getVideo, { params: { id } })
  return video?.captions ?? []
}

test('a video without captions gets them in the language that its owner states', async () => {
  const id = await makeVideo({ language: 'en' })
  const { engine, heard } = engineOf([
    [0.5, 3],
    [4, 9],
  ])
  await run(engine)
  expect(heard).toEqual([
    { seconds: 2.5, language: 'en' },
    { seconds: 5, language: 'en' },
  ])
  expect(await stateOf(id)).toMatchObject({ state: 'done', progress: 1, isDetected: false })
  const [track] = await captionsOf(id)
  expect(track).toMatchObject({ language: 'en', label: 'English (automatic)', isAutomatic: true })
  const { text } = await site.client().get(track?.url ?? '')
  expect(text).toContain('00:00:00.500 -->')
  expect(text).toContain('00:00:04.000 -->')
})

test('detects the language where none is stated, and says so', async () => {
  const id = await makeVideo()
  const { engine, heard } = engineOf([[1, 2]])
  await run(engine)
  expect(heard).toEqual([{ seconds: 1, language: 'de' }])
  expect(await stateOf(id)).toMatchObject({ state: 'done', language: 'de', isDetected: true })
  expect(await captionsOf(id)).toMatchObject([{ language: 'de', label: 'German (automatic)' }])
})

test('finds what automatic captions say, after what people wrote', async () => {
  const id = await makeVideo({ language: 'en', views: 1000 })
  await run(engineOf([[1, 2]]).engine)
  const written = await makeVideo()
  const body = new FormData()
  body.set('language', 'en')
  body.set('captions', new Blob(['1\n00:00:05,000 --> 00:00:06,000\nword1\n']), 'a.srt')
  await owner.client.fetch(`/api/v1/studio/videos/${written}/captions`, { method: 'POST', body })
  const moments = await site.client().call(findMoments, { query: { text: 'word1' } })
  expect(moments.map(({ video }) => video._id)).toEqual([written, id])
})

test('an edit makes automatic captions those of the owner, under a name without the mark', async () => {
  const id = await makeVideo({ language: 'en' })
  await run(engineOf([[1, 2]]).engine)
  const own = await owner.client.get(`/api/v1/studio/videos/${id}/captions`)
  const [track] = own.body.data as { _id: string }[]
  const body = new FormData()
  body.set('captions', new Blob(['1\n00:00:05,000 --> 00:00:06,000\nHello\n']), 'a.srt')
  await owner.client.fetch(`/api/v1/studio/videos/${id}/captions/${track?._id}`, { method: 'PATCH', body })
  expect(await captionsOf(id)).toMatchObject([{ label: 'English', isAutomatic: false }])
  await owner.client.call(requestTranscription, { params: { id }, body: { language: 'en' } })
  await run(engineOf([[1, 2]]).engine)
  expect((await captionsOf(id)).map(({ label }) => label)).toEqual(['English', 'English (automatic)'])
})

test('nobody who speaks means no captions, and no second attempt', async () => {
  const id = await makeVideo({ language: 'en' })
  await run(engineOf([]).engine)
  expect(await stateOf(id)).toMatchObject({ state: 'silent' })
  const { engine, heard } = engineOf([[1, 2]])
  await run(engine)
  expect([await captionsOf(id), heard]).toEqual([[], []])
})

test('leaves alone what has captions, unless its owner asks', async () => {
  const id = await makeVideo({ language: 'en' })
  await addTestCaptions(site, id)
  const { engine, heard } = engineOf([[1, 2]])
  await run(engine)
  expect(await stateOf(id)).toMatchObject({ state: 'skipped' })
  expect(heard).toEqual([])
  await owner.client.call(requestTranscription, { params: { id }, body: { language: 'fr' } })
  await run(engine)
  expect(heard).toEqual([{ seconds: 1, language: 'fr' }])
})

test('follows the choice of the video, then that of its channel, then the policy', async () => {
  const [off, on] = [await makeVideo(), await makeVideo()]
  await owner.client.call(putChannelTranscriptions, { body: { isEnabled: false } })
  await owner.client.call(putTranscription, { params: { id: on }, body: { isEnabled: true } })
  const policy = { captionsPolicy: 'request' } as const
  await run(engineOf([[1, 2]]).engine, policy)
  expect([await captionsOf(on), await captionsOf(off)]).toEqual([[], []])
  await run(engineOf([[1, 2]]).engine)
  expect((await captionsOf(on)).length).toBe(1)
  expect(await captionsOf(off)).toEqual([])
  await run(engineOf([[1, 2]]).engine, { captionsPolicy: 'popular' })
  await owner.client.call(requestChannelTranscriptions, {})
  expect(await owner.client.call(getChannelTranscriptions, {})).toMatchObject({
    isEnabled: false,
    waiting: 1,
  })
})

test('begins with what is watched most', async () => {
  const [quiet, watched] = [await makeVideo(), await makeVideo()]
  await sql`insert into daily_views (video_id, day, views) values (${watched}, current_date, 5)`.execute(
    site.db,
  )
  const stop = new AbortController()
  const { engine } = engineOf([[1, 2]], {
    onPart: async () => {
      stop.abort()
      stop.signal.throwIfAborted()
    },
  })
  await expect(run(engine, {}, stop.signal)).rejects.toThrow('aborted')
  expect(await stateOf(watched)).toMatchObject({ state: 'running' })
  expect(await stateOf(quiet)).toMatchObject({ state: 'none' })
})

test('a killed worker repeats one part at most', async () => {
  const id = await makeVideo({ language: 'en' })
  const ranges: [number, number][] = [
    [0, 2],
    [3, 5],
    [6, 8],
  ]
  const stop = new AbortController()
  const first = engineOf(ranges, {
    onPart: async (part) => {
      if (part === 2) stop.abort()
      stop.signal.throwIfAborted()
    },
  })
  await expect(run(first.engine, {}, stop.signal)).rejects.toThrow('aborted')
  expect(await stateOf(id)).toMatchObject({ state: 'running', progress: 0.5 })
  const second = engineOf([[1, 3]])
  await run(second.engine)
  expect([first.heard.length, second.heard.length]).toEqual([2, 1])
  expect(await stateOf(id)).toMatchObject({ state: 'done' })
})

test('pauses while a viewer waits for a segment', async () => {
  const id = await makeVideo({ language: 'en' })
  expect(await hasUrgentWork(site.context)).toBe(false)
  const { engine, heard } = engineOf(
    [
      [0, 2],
      [3, 5],
    ],
    {
      onPart: async (part) => {
        if (part === 0)
          await sql`insert into pgboss.job (name, data) values ('playback.make_segment', '{}')`.execute(
            site.db,
          )
      },
    },
  )
  await run(engine)
  expect(await stateOf(id)).toMatchObject({ state: 'running' })
  await run(engine)
  expect(heard.length).toBe(1)
  await sql`delete from pgboss.job where name = 'playback.make_segment'`.execute(site.db)
  await run(engine)
  expect(await stateOf(id)).toMatchObject({ state: 'done' })
})

test('a file on which the engine ends twice is left, with the reason', async () => {
  const id = await makeVideo({ language: 'en' })
  const other = await makeVideo({ language: 'en' })
  const { engine } = engineOf([[1, 2]], {
    // not of the sample, so that the file is the cause
    transcribe: async (pcm) => {
      if (pcm.length === 16_000) throw new SpeechFailed('the process ended')
      return { language: 'en', words: [] }
    },
  })
  await run(engine)
  expect(await stateOf(id)).toMatchObject({
    state: 'failed',
    reason: 'The speech of this video cannot be recognized',
    cause: { reason: 'speech_failed' },
  })
  expect(await stateOf(other)).toMatchObject({ state: 'failed' })
})

test('says which language the engine does not know', async () => {
  const id = await makeVideo({ language: 'cy' })
  await run(engineOf([[1, 2]], { languages: ['en', 'de'] }).engine)
  expect(await stateOf(id)).toMatchObject({ state: 'failed', cause: { params: { language: 'cy' } } })
})

test('stops when its owner says so, and stays away', async () => {
  const id = await makeVideo({ language: 'en' })
  const { engine, heard } = engineOf(
    [
      [0, 2],
      [3, 5],
    ],
    {
      onPart: async () => void (await owner.client.call(cancelTranscription, { params: { id } })),
    },
  )
  await run(engine)
  expect(await stateOf(id)).toMatchObject({ state: 'none', isEnabled: false })
  await run(engine)
  expect([heard.length, await captionsOf(id)]).toEqual([1, []])
})

test('a file in the place of another loses the automatic captions, and is recognized again', async () => {
  const id = await makeVideo({ language: 'en' })
  await run(engineOf([[1, 2]]).engine)
  await sql`update videos set replacement = 'next' where id = ${id}`.execute(site.db)
  expect(await stateOf(id)).toMatchObject({ state: 'none' })
  await run(engineOf([[4, 5]]).engine)
  const [track, ...others] = await captionsOf(id)
  expect(others).toEqual([])
  expect((await site.client().get(track?.url ?? '')).text).toContain('00:00:04.000 -->')
})

test('nothing is offered where no models are installed', async () => {
  const id = await makeVideo()
  expect(await stateOf(id)).toMatchObject({ isAvailable: false, state: 'none' })
  const { status, body } = await owner.client.post(`/api/v1/studio/videos/${id}/transcription`, {
    language: null,
  })
  expect([status, body.message]).toEqual([503, 'This site cannot recognize speech'])
  // by a worker on another machine
  await recordRecognizer(site.db)
  expect(await stateOf(id)).toMatchObject({ isAvailable: true })
})

test('a model that fails at everything ends the run, and counts against no video', async () => {
  const id = await makeVideo({ language: 'en' })
  const { engine } = engineOf([[1, 2]], {
    transcribe: async () => {
      throw new SpeechFailed('the process ended')
    },
  })
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(run(engine)).rejects.toThrow('the process ended')
  expect(await stateOf(id)).toMatchObject({ state: 'running' })
  await run(engineOf([[1, 2]]).engine)
  expect(await stateOf(id)).toMatchObject({ state: 'done' })
})

test('a video whose file is gone is left, and holds up no other', async () => {
  const gone = await makeVideo({ language: 'en', sourceKey: 'sources/gone/attempt1' })
  const id = await makeVideo({ language: 'en' })
  await sql`insert into daily_views (video_id, day, views) values (${gone}, current_date, 5)`.execute(site.db)
  await run(engineOf([[1, 2]]).engine)
  expect(await stateOf(gone)).toMatchObject({ state: 'failed' })
  expect(await stateOf(id)).toMatchObject({ state: 'done' })
})

test('switching a channel off stops what was not asked for', async () => {
  const id = await makeVideo({ language: 'en' })
  const { engine, heard } = engineOf(
    [
      [0, 2],
      [3, 5],
    ],
    {
      onPart: async () =>
        void (await owner.client.call(putChannelTranscriptions, { body: { isEnabled: false } })),
    },
  )
  await run(engine)
  await run(engine)
  expect([heard.length, (await stateOf(id)).state]).toEqual([1, 'none'])
  await owner.client.call(requestTranscription, { params: { id }, body: { language: null } })
  await run(engineOf([[1, 2]]).engine)
  expect(await stateOf(id)).toMatchObject({ state: 'done' })
})

test('speech in a language that nothing tells is shown without its name', async () => {
  const id = await makeVideo()
  await run(engineOf([[1, 2]], { detectLanguage: async () => null }).engine)
  expect(await captionsOf(id)).toMatchObject([{ label: 'Captions (automatic)', language: 'und' }])
})
