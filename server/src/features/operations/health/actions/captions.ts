import { isSpeechEngineInstalled, SpeechEngineMissing } from '@kinora/media/speech/open-engine.ts'
import type { Config } from '../../../../context/config.ts'
import { findInstalledModels } from '../../../videos/transcriptions/actions/models.ts'
import type { Report } from './finding.ts'

/** Slower recognizers take longer than the videos of most sites are. */
const slowSpeed = 1

/** Checks what writes captions. A site without a model has no problem, and reads how to get one. */
export async function checkCaptions({ dataDir }: Pick<Config, 'dataDir'>, report: Report): Promise<void> {
  const { recognition, voice } = await findInstalledModels(dataDir)
  if (!recognition && !voice)
    report(
      'captions.off',
      'good',
      'Captions are written by people alone; models that write them can be installed (docs/operations/captions.md)',
    )
  else if (!isSpeechEngineInstalled()) report('captions.noEngine', 'bad', new SpeechEngineMissing().message)
  else if (!recognition)
    report(
      'captions.noModel',
      'note',
      `No captions are written: ${voice?.name} is installed, a model that recognizes speech is missing. Install one with \`kinora captions install\` (docs/operations/captions.md).`,
    )
  else if (!voice)
    report(
      'captions.noVoiceModel',
      'bad',
      `No captions are written: ${recognition.name} is installed, Silero VAD, which finds where somebody speaks, is missing. Install it with \`kinora captions install\` (docs/operations/captions.md).`,
    )
  else if (recognition.speed < slowSpeed)
    report(
      'captions.slow',
      'note',
      `${recognition.name} takes longer than an hour for an hour of speech on this machine. Install a smaller model, or raise CAPTIONS_THREADS.`,
    )
  else
    report(
      'captions.work',
      'good',
      `${recognition.name} writes captions ${recognition.speed} times as fast as speech`,
    )
}
