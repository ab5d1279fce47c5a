import { writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

/** Writes the types of `contract/openapi.json` to `src/api.ts`, with files as `Blob`. */
const nodes = await openapiTS(new URL('../contract/openapi.json', import.meta.url), {
  transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
})
await writeFile(new URL('src/api.ts', import.meta.url), astToString(nodes))
