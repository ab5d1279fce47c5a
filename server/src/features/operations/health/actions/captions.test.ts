import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { checkCaptions } from './captions.ts'
import { collectFindings } from './finding.ts'

interface Model {
  kind: string
  speed: number
  name?: string
}

/** Findings for a site with a model of each kind that is given, as `kinora captions install` leaves them. */
async function findingsWith(models: Model[]) {
  const dataDir = temporaryDirectory()
  for (const [index, model] of models.entries()) {
    const directory = path.join(dataDir, 'models', String(index).repeat(64))
    mkdirSync(path.join(directory, 'files'), { recursive: true })
    const common = { name: 'a', path: 'files', languages: null, sizeBytes: 1, memoryBytes: 1 }
    const manifest = { ...common, ...model, installedAt: new Date(0).toISOString() }
    writeFileSync(path.join(directory, 'model.json'), JSON.stringify(manifest))
  }
  const { findings, report } = collectFindings()
  await checkCaptions({ dataDir }, report)
  return findings
}

const codesWith = async (models: Model[]) => (await findingsWith(models)).map(({ code }) => code)

test('reports what writes captions, and what is missing where a model is installed', async () => {
  const [fast, slow, voice] = [
    { kind: 'recognition', speed: 4 },
    { kind: 'recognition', speed: 0.5 },
    { kind: 'voice', speed: 100 },
  ]
  expect(await codesWith([])).toEqual(['captions.off'])
  expect(await codesWith([fast])).toEqual(['captions.noVoiceModel'])
  expect(await codesWith([voice])).toEqual(['captions.noModel'])
  expect(await codesWith([slow, voice])).toEqual(['captions.slow'])
  expect(await codesWith([fast, voice])).toEqual(['captions.work'])
})

test('names the model that is missing, and the one that is installed', async () => {
  const [onlyVoice] = await findingsWith([{ kind: 'voice', speed: 100, name: 'silero_vad' }])
  expect(onlyVoice?.message).toMatch(/silero_vad is installed, .* recognizes speech is missing/)
  const [onlyRecognition] = await findingsWith([{ kind: 'recognition', speed: 4, name: 'whisper-base' }])
  expect(onlyRecognition?.message).toMatch(/whisper-base is installed, .*Silero VAD, .* is missing/)
})
