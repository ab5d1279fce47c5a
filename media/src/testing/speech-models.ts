import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../../..')
const fetched = path.join(root, '.tooling/speech/silero_vad_v5.onnx')

/** A model that detects voice activity, which the set-up of the tests fetches. Null where it could not. */
export const testVoiceModel = existsSync(fetched) ? fetched : null
if (testVoiceModel === null)
  console.log(
    'Skipped: detection of speech: no model in .tooling/speech (node scripts/setup.mjs --voice-model)',
  )

/** Folder of a model that recognizes English. */
export const testSpeechModel = process.env['CAPTIONS_TEST_MODEL'] ?? null
if (testSpeechModel === null)
  console.log('Skipped: recognition of speech: CAPTIONS_TEST_MODEL names no folder of a model')
