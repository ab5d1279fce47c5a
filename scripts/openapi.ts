import { writeFileSync } from 'node:fs'
import { openApiDocument } from '@kinora/contract/openapi.ts'

/** Writes the OpenAPI document with the default limits to a file: `npm run openapi -- FILE`. */
const [file = 'openapi.json'] = process.argv.slice(2)
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
