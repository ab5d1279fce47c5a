import { fileURLToPath } from 'node:url'
import { exportedEndpoints } from '@kinora/contract/api.ts'
import type { Plugin } from 'vite'

const sources = fileURLToPath(new URL('.', import.meta.resolve('@kinora/contract/api.ts')))

/**
 * Leaves of each noun of the contract what a page needs to call its endpoints: method, path and encoding. The server parses
 * inputs and results, so that no page loads schemas; the build fails where one imports a schema.
 */
export function contractCalls(): Plugin {
  const modules = Map.groupBy(exportedEndpoints, ({ module }) => `${sources}${module}.ts`)
  return {
    name: 'contract-calls',
    apply: 'build',
    resolveId: {
      filter: { id: /^zod$/ },
      handler: (_, importer) => {
        throw new Error(`${importer} imports zod, which pages do not load`)
      },
    },
    load: {
      filter: { id: /\/contract\/src\/[^/]+\/[^/]+\.ts$/ },
      handler: (id) =>
        modules
          .get(id)
          ?.map(({ name, endpoint: { method, path, encoding, paged } }) => {
            const call = JSON.stringify({ method, path, encoding, paged })
            return `export const ${name} = ${call}`
          })
          .join('\n'),
    },
  }
}
