import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { entriesOf, problemOf } from './message-parts.ts'

/**
 * Collects the messages of the interface in `web/src/locales/`, and those of mails in `server/locales/`. With `--check` only
 * reports whether the catalogs are current, which translations lack a placeholder, and which are missing: people see English
 * instead, so this fails with `--complete` alone, before a release.
 */
const root = join(import.meta.dirname, '..')
const folders = ['web/src/locales', 'server/locales']

function collect(folder: string): void {
  const { error, status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/lingui'),
    ['extract', '--clean'],
    { cwd: join(root, 'web'), encoding: 'utf8', env: { ...process.env, MESSAGES_DIR: folder } },
  )
  if (error) throw error
  if (status !== 0) throw new Error(`The messages could not be collected:\n${stdout}${stderr}`)
}

/** A catalog without its dates. */
const textOf = (file: string) =>
  readFileSync(file, 'utf8').replaceAll(/^"(POT-Creation|PO-Revision)-Date:.*$/gm, '')

const mustBeComplete = process.argv.includes('--complete')
/** Missing translations by language. */
const missing = new Map<string, string[]>()

if (!process.argv.includes('--check')) collect(root)
else {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-messages-'))
  try {
    for (const each of folders) cpSync(join(root, each), join(folder, each), { recursive: true })
    collect(folder)
    for (const name of globSync(`{${folders.join()}}/*/*.po`, { cwd: folder })) {
      const text = textOf(join(folder, name))
      if (text !== textOf(join(root, name))) fail(`${name} is outdated. Run \`npm run messages\`.`)
      const language = basename(dirname(name))
      const entries = entriesOf(text)
      const sources = entries.flatMap(({ source, translation }) => (translation === '' ? [source] : []))
      missing.set(language, [...(missing.get(language) ?? []), ...sources])
      for (const entry of entries) {
        const problem = entry.translation !== '' && problemOf(entry, language)
        if (problem) fail(`${name}: "${entry.source}": ${problem}`)
      }
    }
    for (const [language, sources] of missing) {
      if (sources.length === 0) continue
      const report = `${language} lacks ${sources.length} translations, the first of "${sources[0]}"`
      if (mustBeComplete) fail(report)
      else console.log(report)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
