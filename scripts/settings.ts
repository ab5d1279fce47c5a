import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import type { z } from 'zod'
import { secretSettings, sections } from '../server/src/context/settings.ts'

/** Writes `docs/settings.md` from the schema of the settings; with `--check` only reports whether the file is current. */
const file = join(import.meta.dirname, '../docs/settings.md')

const introduction = `
# Settings

Settings are environment variables, for example \`PORT=8080 HOST=0.0.0.0 npm start\`. All are optional. A bad value stops the
start with a message that names the setting. The value in brackets is the default.

Secrets can be kept in files. Append \`_FILE\` to the name and set the path of the file. This works for:
${secretSettings.map((name) => `\`${name}\``).join(', ')}.

This page is generated from [\`server/src/context/settings.ts\`](../server/src/context/settings.ts) by \`npm run settings\`.
`

async function main(): Promise<void> {
  const text = [introduction, ...Object.entries(sections).map(([title, shape]) => describe(title, shape))]
  const options = await resolveConfig(file)
  const wanted = await format(text.join('\n'), { ...options, parser: 'markdown' })
  if (!process.argv.includes('--check')) return writeFileSync(file, wanted)
  if (readFileSync(file, 'utf8') === wanted) return
  console.error('docs/settings.md is out of date. Run `npm run settings`.')
  process.exitCode = 1
}

function describe(title: string, shape: Record<string, z.ZodType>): string {
  const lines = Object.entries(shape).map(([name, schema]) => {
    if (!schema.description) throw new Error(`${name} has no description`)
    return `- **\`${name}\`** (${formatDefault(schema.safeParse(undefined).data)}): ${schema.description}`
  })
  return `## ${title}\n\n${lines.join('\n')}\n`
}

function formatDefault(value: unknown): string {
  if (value === undefined) return 'not set'
  return `\`${String(value)}\``
}

await main()
