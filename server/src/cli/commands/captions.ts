import { formatBytes } from '@kinora/platform/format-bytes.ts'
import { readConfig } from '../../context/config.ts'
import type { InstalledModel } from '../../features/videos/transcriptions/actions/models.ts'
import { type CommandLine, withContext } from '../command.ts'
import { printProgress, table } from '../output.ts'

const installHelp = `
Examples:
  kinora captions install ./silero_vad.onnx
  kinora captions install https://example.org/whisper-base.tar.bz2#sha256=<hash>

Captions need two models: one that recognizes speech, and Silero VAD, which finds where somebody speaks.
docs/operations/captions.md lists models that are known to work.`

const folderActions = () => import('../../features/videos/captions/actions/captions-folder.ts')

const actions = () =>
  Promise.all([
    import('../../features/videos/transcriptions/actions/models.ts'),
    import('../../features/videos/transcriptions/actions/install-model.ts'),
  ])

export function addCaptions({ group, command, respond }: CommandLine): void {
  const captions = group('captions', 'Captions, and models that write them')
  command(captions, 'install <source>', 'Install a model: an archive, a folder, a file or an https address')
    .addHelpText('after', installHelp)
    .action(async (source: string) => {
      const [, { installModel }] = await actions()
      const progress = printProgress()
      const { model, heard, isKnown } = await installModel(source, readConfig(), progress).finally(() =>
        progress.done(),
      )
      const text = isKnown ? `${model.name} is installed already.` : describe(model, heard)
      respond({ text, value: { ...withoutPath(model), heard } })
    })
  command(captions, 'models', 'List the installed models; the newest of each kind is used').action(
    async () => {
      const [{ listModels }] = await actions()
      const models = await listModels(readConfig().dataDir)
      const rows = models.map(({ name, kind, languages, sizeBytes, speed, memoryBytes, hash }) => ({
        name,
        kind,
        languages:
          languages === null ? 'not known' : languages.length > 3 ? languages.length : languages.join(' '),
        size: formatBytes(sizeBytes),
        speed: `${speed}x`,
        memory: formatBytes(memoryBytes),
        hash: hash.slice(0, 12),
      }))
      respond({ text: table(rows) || 'There is none.', value: models.map(withoutPath) })
    },
  )
  command(captions, 'remove <name>', 'Delete a model; its captions stay').action(async (name: string) => {
    const [{ removeModel }] = await actions()
    const model = await removeModel(readConfig().dataDir, name)
    respond({ text: `${model.name} is deleted.`, value: withoutPath(model) })
  })
  command(captions, 'export <folder>', 'Write all captions into a folder, as <video>.<language>.vtt').action(
    async (folder: string) => {
      const { exportCaptions } = await folderActions()
      const exported = await withContext(({ db }) => exportCaptions(db, folder))
      respond({ text: `Captions written: ${exported}.`, value: { exported } })
    },
  )
  command(
    captions,
    'import <folder>',
    'Add the captions of such a folder, in place of those of the same language',
  ).action(async (folder: string) => {
    const { importCaptions } = await folderActions()
    const { imported, skipped } = await withContext(({ db }) => importCaptions(db, folder))
    const left = skipped.map(({ file, reason }) => `\nLeft out: ${file}: ${reason}`).join('')
    respond({
      text: `Captions imported: ${imported}.${left}`,
      value: { imported, skipped },
      isBad: skipped.length > 0,
    })
  })
}

function describe(
  { name, speed, memoryBytes, kind, sizeBytes }: InstalledModel,
  heard: string | null,
): string {
  const measured = `It works ${speed} times as fast as speech, with ${formatBytes(memoryBytes)} of memory.`
  const understood = heard === null ? '' : `\nIn the sample it understood: ${heard || 'nothing'}`
  const use = kind === 'voice' ? 'finds speech' : 'recognizes speech'
  return `${name} (${formatBytes(sizeBytes)}) is installed and ${use}. ${measured}${understood}`
}

/** A model as programs read it: where it is on the disk may change. */
function withoutPath({
  name,
  kind,
  languages,
  sizeBytes,
  installedAt,
  speed,
  memoryBytes,
  hash,
}: InstalledModel) {
  return { name, kind, languages, sizeBytes, installedAt, speed, memoryBytes, hash }
}
