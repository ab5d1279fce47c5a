import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '@kinora/contract/openapi.ts'

/** Writes `contract/openapi.json`; with `--check` only reports whether it is current. */
const file = join(import.meta.dirname, '../contract/openapi.json')
const wanted = `${JSON.stringify(openApiDocument(), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, wanted)
} else if (readFileSync(file, 'utf8') !== wanted) {
  console.error('contract/openapi.json is outdated. Run `npm run openapi`.')
  process.exitCode = 1
}
