import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getTranscription } from '@kinora/contract/videos/transcriptions.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { SPEECH_SAMPLE_RATE, type SpeechEngine } from '@kinora/media/speech/speech.ts'
import { drawFileUncached } from '@kinora/media/testing/draw-file.ts'
import { testVoiceModel } from '@kinora/media/testing/speech-models.ts'
import { writeTinyWhisper } from '@kinora/media/testing/tiny-whisper.ts'
import { listProcesses } from '@kinora/platform/testing/processes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { installModel } from './actions/install-model.ts'
import { transcribe } from './jobs.ts'

const sample = fileURLToPath(import.meta.resolve('@kinora/media/speech/sample.ts')).replace(/ts$/, 'wav')
const picture = '-f lavfi -i testsrc2=s=160x120:r=5'
const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'

let site: TestApp
let client: Awaited<ReturnType<typeof signUp>>['client']

describe.skipIf(testVoiceModel === null)('with the installed models', () => {
  beforeAll(async () => {
    site = await createTestApp({ worker: true, settings: { PREPARE_POLICY: 'none' } })
    const { dataDir } = site.context.config
    const folder = join(dataDir, 'whisper-tiny')
    writeTinyWhisper(folder, [{ words: ['Good', 'morning.'], from: 0, to: 2 }])
    for (const source of [folder, testVoiceModel ?? ''])
      await installModel(source, { dataDir, importAllowedAddresses: [] })
    ;({ client } = await signUp(site))
  })
  afterAll(() => site.close())

  const draw = (args: string) => drawFileUncached(args.split(' '), 'mp4')
  /** A clip in which somebody speaks every eight seconds. */
  const drawSpeech = (times: number) => {
    const seconds = times * 8
    return draw(
      `${picture} -stream_loop -1 -i ${sample} -filter_complex [1:a]atrim=0:3,apad=whole_dur=8,aloop=${times - 1}:${8 * SPEECH_SAMPLE_RATE}[a] -map 0 -map [a] -t ${seconds} ${codecs}`,
    )
  }

  const stateOf = (id: string) => client.call(getTranscription, { params: { id } })
  /** Works until the transcription of a video ends. */
  async function finish(id: string): Promise<string> {
    const open = ['none', 'waiting', 'running']
    let state = 'none'
    await expect
      .poll(
        async () => {
          await transcribe.handle({}, site.context, new AbortController().signal)
          state = (await stateOf(id)).state
          return open.includes(state)
        },
        { timeout: 60_000 },
      )
      .toBe(false)
    return state
  }
  async function textOf(id: string): Promise<string> {
    const [video] = await client.call(getVideo, { params: { id } })
    return (await client.get(video?.captions?.[0]?.url ?? '')).text
  }

  /** Kills the process of the engine in the middle of the pieces that the test chooses. */
  function killAt(isChosen: (piece: number, pcm: Int16Array) => boolean) {
    const { speech } = site.context
    const heard: number[] = []
    const killing = (engine: SpeechEngine): SpeechEngine => ({
      ...engine,
      transcribe: (pcm, options, signal) => {
        const response = engine.transcribe(pcm, options, signal)
        heard.push(pcm.length / SPEECH_SAMPLE_RATE)
        if (isChosen(heard.length, pcm))
          for (const { pid, parent, args } of listProcesses())
            if (parent === process.pid && args.includes('speech-process.ts')) process.kill(pid, 'SIGKILL')
        return response
      },
    })
    site.context.speech = { ...speech, open: async () => killing(await speech.open()) }
    return { heard, [Symbol.dispose]: () => (site.context.speech = speech) }
  }

  test('an uploaded video gets captions at the place where somebody speaks', async () => {
    // four seconds of silence, then speech
    const clip = await draw(`${picture} -i ${sample} -af adelay=4000,apad -t 8 ${codecs}`)
    const { _id: id } = await upload(client, 'Harbour', clip)
    expect(await finish(id)).toBe('done')
    const [video] = await client.call(getVideo, { params: { id } })
    const [track] = video?.captions ?? []
    expect(track).toMatchObject({ language: 'de', label: 'German (automatic)', isAutomatic: true })
    expect(await textOf(id)).toMatch(/\n00:00:0(3\.[89]|4\.[0-3])\d+ --> [\d:.]+\nGood morning\./)
  })

  test('of sixteen audio tracks, the default one is recognized', { tags: ['nightly'] }, async () => {
    const tracks = Array.from({ length: 16 }, (_, index) => (index === 6 ? '1:a' : '2:a'))
    const maps = tracks.map((track) => `-map ${track}`).join(' ')
    const clip = await draw(
      `${picture} -i ${sample} -f lavfi -i anullsrc=r=16000:cl=mono -map 0 ${maps} -disposition:a 0 -disposition:a:6 default -t 3 ${codecs}`,
    )
    const { _id: id } = await upload(client, 'Sixteen tracks', clip)
    expect(await finish(id)).toBe('done')
    expect(await textOf(id)).toContain('Good morning.')
  })

  test('a killed process of the engine repeats one piece', async () => {
    const { _id: id } = await upload(client, 'Killed once', await drawSpeech(4))
    using killed = killAt((piece) => piece === 2)
    expect(await finish(id)).toBe('done')
    // four pieces, a sample to test the engine, and the piece that was killed
    expect(killed.heard).toHaveLength(6)
    expect((await textOf(id)).match(/Good morning\./g)).toHaveLength(4)
  })

  test('a file at which the process ends twice is left with the reason', { tags: ['nightly'] }, async () => {
    const { _id: id } = await upload(client, 'Killed always', await drawSpeech(2))
    {
      // not at the sample
      using killed = killAt((_, pcm) => pcm.length !== 3 * SPEECH_SAMPLE_RATE)
      expect(await finish(id)).toBe('failed')
      expect(killed.heard.length).toBeLessThanOrEqual(4)
    }
    expect(await stateOf(id)).toMatchObject({ cause: { reason: 'speech_failed' } })
    const { _id: next } = await upload(client, 'Next', await drawSpeech(1))
    expect(await finish(next)).toBe('done')
  })
})
