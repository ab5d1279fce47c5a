import { isSpeechEngineInstalled } from '@kinora/media/speech/open-engine.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { machineId } from '@kinora/platform/process-identity.ts'
import type { SpeechEngine } from '@kinora/media/speech/speech.ts'
import type { Config } from '../context/config.ts'
import type { Speech } from '../context/context.ts'
import { findInstalledModels, openInstalledEngine } from '../features/videos/transcriptions/actions/models.ts'

/** The lowest CPU priority: viewers and the preparation of uploads go first. */
const niceness = 19

/** Recognizes speech with the models in DATA_DIR, once the operator has installed them. */
export function createSpeech(config: Pick<Config, 'dataDir' | 'captionsThreads'>): Speech {
  let opened: { models: string; engine: SpeechEngine } | undefined
  return {
    machine: machineId(),
    async isInstalled() {
      if (!isSpeechEngineInstalled()) return false
      const { recognition, voice } = await findInstalledModels(config.dataDir)
      return recognition !== null && voice !== null
    },
    async open() {
      const { recognition, voice } = await findInstalledModels(config.dataDir)
      const models = `${recognition?.hash} ${voice?.hash}`
      if (opened?.models === models) return opened.engine
      opened?.engine.end()
      opened = undefined
      const engine = await openInstalledEngine(config, niceness)
      if (!engine) throw new StartupError('Captions need two models: see `kinora captions install --help`.')
      opened = { models, engine }
      return engine
    },
  }
}
