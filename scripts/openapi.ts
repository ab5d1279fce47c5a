import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callsModule } from '@kinora/contract/call-list.ts'
import { openApiDocument } from '@kinora/contract/openapi.ts'
import { format, resolveConfig } from 'prettier'

/** Writes `contract/openapi.json` and `contract/src/calls.ts`; with `--check` only reports whether they are current. */
const contract = join(import.meta.dirname, '../contract')
const calls = join(contract, 'src/calls.ts')
const generated = [
  { file: join(contract, 'openapi.json'), wanted: `${JSON.stringify(openApiDocument(), null, 2)}\n` },
  {
    file: calls,
    wanted: await format(callsModule(), { ...(await resolveConfig(calls)), parser: 'typescript' }),
  },
]

for (const { file, wanted } of generated) {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, wanted)
  } else if (readFileSync(file, 'utf8') !== wanted) {
    console.error(`${file} is outdated. Run \`npm run openapi\`.`)
    process.exitCode = 1
  }
}
