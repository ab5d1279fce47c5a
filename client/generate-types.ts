import { writeFile } from 'node:fs/promises'
import { openApiDocument } from '@kinora/contract/openapi.ts'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

/** Writes the types of the OpenAPI document to `src/api.ts`, with files as `Blob`. */
const nodes = await openapiTS(JSON.stringify(openApiDocument()), {
  transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
})
await writeFile(new URL('src/api.ts', import.meta.url), astToString(nodes))
