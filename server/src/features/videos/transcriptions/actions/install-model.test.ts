import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { describe, expect, test } from 'vitest'
import { readSample } from '@kinora/media/speech/sample.ts'
import { testVoiceModel } from '@kinora/media/testing/speech-models.ts'
import { writeTinyWhisper } from '@kinora/media/testing/tiny-whisper.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { zipOf } from '@kinora/platform/testing/zip-of.ts'
import { runInProcess } from '../../../../testing/fixtures/run-in-process.ts'
import { installModel } from './install-model.ts'
import { findInstalledModels, listModels, openInstalledEngine, removeModel } from './models.ts'

const silero = testVoiceModel ?? ''
const sileroHash = '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f'

function newSite() {
  const dataDir = temporaryDirectory()
  const from = temporaryDirectory()
  const write = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(path.join(from, name), bytes)
    return path.join(from, name)
  }
  const install = (source: string) => installModel(source, { dataDir, importAllowedAddresses: [] })
  /** Names in the directory of models. */
  const left = () =>
    existsSync(path.join(dataDir, 'models')) ? readdirSync(path.join(dataDir, 'models')) : []
  return { dataDir, from, write, install, left }
}

const file = (name: string, body: string | Uint8Array = 'x'): TarEntry => ({
  header: { name, size: Buffer.byteLength(body), type: 'file' },
  body,
})
const tarOf = async (...entries: TarEntry[]) => gzipSync(await packTar(entries))

/** Begins like a model, and is none. */
const garbage = Buffer.concat([Buffer.from([8, 7]), Buffer.alloc(4096, 'of another processor')])
const tokens = 'IQ== 0\nIg== 1\n'
const whisper = (folder: string) => [
  file(`${folder}/tiny-encoder.onnx`, garbage),
  file(`${folder}/tiny-decoder.onnx`, garbage),
  file(`${folder}/tiny-tokens.txt`, tokens),
]

describe.skipIf(testVoiceModel === null)('with Silero VAD', () => {
  test('installs a file, measures it, and finds it', async () => {
    const { dataDir, install } = newSite()
    const { model } = await install(`${silero}#sha256=${sileroHash.toUpperCase()}`)
    expect(model).toMatchObject({ name: 'silero_vad_v5', kind: 'voice', hash: sileroHash, languages: null })
    expect(model.speed).toBeGreaterThan(1)
    expect(model.memoryBytes).toBeGreaterThan(10 ** 7)
    expect(readFileSync(model.location)).toEqual(readFileSync(silero))
    expect(await findInstalledModels(dataDir)).toEqual({ recognition: null, voice: model })
    expect(await openInstalledEngine({ dataDir }, 19)).toBeUndefined()
    expect((await install(silero)).isKnown).toBe(true)
  })

  test('installs from an archive or folder of any name, and leaves out what it does not need', async () => {
    const { install, write, from, dataDir } = newSite()
    const entries = [
      file('vad/silero.onnx', readFileSync(silero)),
      file('vad/samples/a.wav'),
      file('vad/b.py'),
    ]
    const { model } = await install(write('vad.tgz', await tarOf(...entries)))
    expect(readdirSync(path.dirname(model.location))).toEqual(['silero.onnx'])
    await install(write('vad.zip', await zipOf({ 'silero2.onnx': readFileSync(silero) })))
    mkdirSync(path.join(from, 'linked'))
    symlinkSync(silero, path.join(from, 'linked/silero3.onnx'))
    await install(path.join(from, 'linked'))
    expect((await listModels(dataDir)).map(({ name }) => name)).toEqual(['silero3', 'silero2', 'silero'])
  })

  test('installs a recognizer, prints what it heard, and both models write captions', async () => {
    const { dataDir, from } = newSite()
    const folder = path.join(from, 'sherpa-onnx-whisper-tiny')
    writeTinyWhisper(folder, [{ words: ['Good', 'morning.'], from: 0, to: 2 }])
    writeFileSync(
      path.join(folder, 'tiny-encoder.int8.onnx'),
      readFileSync(path.join(folder, 'tiny-encoder.onnx')),
    )
    const { output } = await runInProcess(['captions', 'install', folder], { DATA_DIR: dataDir })
    expect(output).toMatch(/^sherpa-onnx-whisper-tiny .* recognizes speech\. It works [\d.]+ times/)
    expect(output).toContain('In the sample it understood: Good morning.')
    const { recognition } = await findInstalledModels(dataDir)
    expect(recognition?.languages).toContain('sw')
    // of two precisions, one is kept
    expect(readdirSync(recognition?.location ?? '').toSorted()).toEqual([
      'tiny-decoder.onnx',
      'tiny-encoder.int8.onnx',
      'tiny-tokens.txt',
    ])
    await installModel(silero, { dataDir, importAllowedAddresses: [] })
    const engine = await openInstalledEngine({ dataDir, captionsThreads: 1 }, 19)
    expect(await engine?.findSpeech(readSample())).toHaveLength(1)
    expect((await engine?.transcribe(readSample(), { language: 'en' }))?.words).toHaveLength(2)
    engine?.end()
  })

  test('removes a model by name or hash', async () => {
    const { install, dataDir, left } = newSite()
    await install(silero)
    await expect(removeModel(dataDir, 'whisper')).rejects.toThrow('There is no model whisper')
    await removeModel(dataDir, sileroHash.slice(0, 8))
    expect(left()).toEqual([])
  })

  test('is offered on the command line', async () => {
    const { dataDir } = newSite()
    const env = { DATA_DIR: dataDir }
    const installed = await runInProcess(['captions', 'install', silero], env)
    expect(installed.output).toMatch(/silero_vad_v5 \(2\.3 MB\) is installed and finds speech\. It works \d+/)
    expect((await runInProcess(['captions', 'models'], env)).output).toContain('silero_vad_v5  voice')
    const { json } = await runInProcess(['captions', 'models', '--json'], env)
    expect(json).toMatchObject([{ hash: sileroHash }])
    expect((await runInProcess(['captions', 'remove', 'silero_vad_v5'], env)).exitCode).toBe(0)
    expect((await runInProcess(['captions', 'remove', 'silero_vad_v5'], env)).exitCode).toBe(1)
  })
})

describe('refuses, and leaves nothing of', () => {
  const cases: Record<
    string,
    [prepare: (site: ReturnType<typeof newSite>) => string | Promise<string>, reason: string]
  > = {
    'a file with another hash': [
      ({ write }) => `${write('a.onnx', garbage)}#sha256=${'0'.repeat(64)}`,
      'it is another file',
    ],
    'a hash that is none': [({ write }) => `${write('a.onnx', garbage)}#sha256=12`, '64 hexadecimal digits'],
    'an address without a hash': [() => 'https://example.org/a.tar.bz2', 'add #sha256='],
    'an address without TLS': [
      () => `http://example.org/a.zip#sha256=${'0'.repeat(64)}`,
      'https addresses only',
    ],
    'a path that does not exist': [() => '/nowhere/model.tar.bz2', 'does not exist'],
    'a text': [({ write }) => write('a.txt', 'hello hello'), 'neither a model'],
    'an empty file': [({ write }) => write('a.zip', ''), 'neither a model'],
    'a file that is no model inside': [
      ({ write }) => write('a.onnx', garbage),
      'does not work on this machine',
    ],
    'a recognizer whose files are damaged': [
      async ({ write }) => write('w.tar.gz', await tarOf(...whisper('whisper-tiny'))),
      'does not work on this machine',
    ],
    'an archive without a model': [
      async ({ write }) => write('a.tar.gz', await tarOf(file('readme.md'))),
      'no model in it',
    ],
    'an archive in bzip2 without a model': [
      ({ write }) => write('a.tar.bz2', Buffer.from(bzip2, 'base64')),
      'no model in it',
    ],
    'a damaged archive in bzip2': [
      ({ write }) => write('a.tar.bz2', Buffer.from(bzip2, 'base64').subarray(0, 90)),
      'damaged',
    ],
    'an archive that breaks off': [
      async ({ write }) => write('a.tgz', (await tarOf(...whisper('w'))).subarray(0, 100)),
      'damaged',
    ],
    'an archive with noise': [
      ({ write }) => write('a.tgz', gzipSync(Buffer.alloc(4096, 'noise'))),
      'damaged',
    ],
    'a name that leads out': [
      async ({ write }) => write('a.tgz', await tarOf(file('../../escaped.onnx'))),
      'leads out of it',
    ],
    'an absolute name': [
      async ({ write }) => write('a.tgz', await tarOf(file('/tmp/a.onnx'))),
      'leads out of it',
    ],
    'a name with a backslash': [
      async ({ write }) => write('a.tgz', await tarOf(file('..\\a.onnx'))),
      'leads out of it',
    ],
    'a name that leads out of a zip': [
      async ({ write }) => write('a.zip', await zipOf({ '../escaped.onnx': 'x' })),
      'archive',
    ],
    'a symbolic link': [
      async ({ write }) =>
        write(
          'a.tgz',
          await tarOf({ header: { name: 'a.onnx', size: 0, type: 'symlink', linkname: '/etc/passwd' } }),
        ),
      'link or device',
    ],
    'a hard link': [
      async ({ write }) =>
        write(
          'a.tgz',
          await tarOf({ header: { name: 'a.onnx', size: 0, type: 'link', linkname: '/etc/passwd' } }),
        ),
      'link or device',
    ],
    'two files of one name': [
      async ({ write }) => write('a.tgz', await tarOf(file('a.onnx'), file('./a.onnx'))),
      'two files of the name',
    ],
    'too many files': [
      async ({ write }) =>
        write('a.tgz', await tarOf(...Array.from({ length: 1001 }, (_, index) => file(`${index}.txt`)))),
      'more than 1000 files',
    ],
    'a bomb': [
      async ({ write }) => write('a.tgz', await tarOf(file('a.onnx', Buffer.alloc(80_000_000)))),
      'more than a model can have',
    ],
  }

  test.each(Object.entries(cases))('%s', async (_, [prepare, reason]) => {
    const site = newSite()
    const source = await prepare(site)
    await expect(site.install(source)).rejects.toThrow(reason)
    expect(site.left()).toEqual([])
    expect(existsSync(path.join(site.dataDir, 'escaped.onnx'))).toBe(false)
    expect(await listModels(site.dataDir)).toEqual([])
  })
})

/** An archive of `readme.txt`, made by tar and bzip2. */
const bzip2 =
  'QlpoOTFBWSZTWc7dt9EAAHt7hMkQAERAAX8AAQBmRp5AAACACCAAdBpNJ6jRpoaPUGmm1BJEmgAADQJfNWzoQTzAJF19BRi0S1kkDrpyEn4hFFLABUANT4CPzMHF9yungUZ9e60a+tXIFEKRpZGc1mnAiID8XckU4UJDO3bfRA=='

test('what a killed process left is no model, and goes with the next installation', async () => {
  const { dataDir, install, left, write } = newSite()
  // no process has this id
  const abandoned = `.incoming-${2 ** 22 + 1}-x`
  mkdirSync(path.join(dataDir, 'models', abandoned), { recursive: true })
  writeFileSync(path.join(dataDir, 'models', abandoned, 'model.json'), '{}')
  mkdirSync(path.join(dataDir, 'models', 'a'.repeat(64)))
  expect(await listModels(dataDir)).toEqual([])
  await install(write('a.txt', 'hello')).catch(() => undefined)
  expect(left()).toEqual(['a'.repeat(64)])
})
