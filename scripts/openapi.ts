import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callModules } from '@kinora/contract/call-list.ts'
import { openApiDocument } from '@kinora/contract/openapi.ts'
import { format, resolveConfig } from 'prettier'

/** Writes `contract/openapi.json` and `contract/src/calls/`; with `--check` only reports whether they are current. */
const contract = join(import.meta.dirname, '../contract')
const folder = join(contract, 'src/calls')
const options = { ...(await resolveConfig(join(folder, 'videos.ts'))), parser: 'typescript' }
const generated = new Map([
  [join(contract, 'openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`],
])
for (const [module, text] of callModules())
  generated.set(join(folder, `${module}.ts`), await format(text, options))
const current = [join(contract, 'openapi.json'), ...readdirSync(folder).map((name) => join(folder, name))]

for (const file of new Set([...current, ...generated.keys()])) {
  const wanted = generated.get(file)
  if (!process.argv.includes('--check')) {
    if (wanted === undefined) rmSync(file)
    else writeFileSync(file, wanted)
  } else if (!current.includes(file) || readFileSync(file, 'utf8') !== wanted) {
    console.error(`${file} is outdated. Run \`npm run openapi\`.`)
    process.exitCode = 1
  }
}
