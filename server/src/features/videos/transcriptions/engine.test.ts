import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getTranscription } from '@kinora/contract/videos/transcriptions.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { drawFileUncached } from '@kinora/media/testing/draw-file.ts'
import { testVoiceModel } from '@kinora/media/testing/speech-models.ts'
import { writeTinyWhisper } from '@kinora/media/testing/tiny-whisper.ts'
import { expect, test } from 'vitest'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { installModel } from './actions/install-model.ts'
import { transcribe } from './jobs.ts'

const sample = fileURLToPath(import.meta.resolve('@kinora/media/speech/sample.ts')).replace(/ts$/, 'wav')

test.skipIf(testVoiceModel === null)(
  'an uploaded video gets captions by the installed models, at the place where somebody speaks',
  async () => {
    const site = await createTestApp({ worker: true, settings: { PREPARE_POLICY: 'none' } })
    try {
      const { dataDir } = site.context.config
      const folder = join(dataDir, 'whisper-tiny')
      writeTinyWhisper(folder, [{ words: ['Good', 'morning.'], from: 0, to: 2 }])
      for (const source of [folder, testVoiceModel ?? ''])
        await installModel(source, { dataDir, importAllowedAddresses: [] })
      // four seconds of silence, then speech
      const clip = await drawFileUncached(
        `-f lavfi -i testsrc2=s=320x180:r=25:d=8 -i ${sample} -af adelay=4000,apad -t 8 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac`.split(
          ' ',
        ),
        'mp4',
      )
      const { client } = await signUp(site)
      const { _id: id } = await upload(client, 'Harbour', clip)
      const state = async () => (await client.call(getTranscription, { params: { id } })).state
      await expect
        .poll(async () => {
          await transcribe.handle({}, site.context, new AbortController().signal)
          return state()
        })
        .toBe('done')
      const [video] = await client.call(getVideo, { params: { id } })
      const [track] = video?.captions ?? []
      expect(track).toMatchObject({ language: 'de', label: 'German (automatic)', isAutomatic: true })
      const { text } = await client.get(track?.url ?? '')
      expect(text).toMatch(/\n00:00:0(3\.[89]|4\.[0-3])\d+ --> [\d:.]+\nGood morning\./)
    } finally {
      await site.close()
    }
  },
)
