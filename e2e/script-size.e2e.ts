import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { expect, test } from './fixtures/test.ts'

interface Chunk {
  file: string
  name?: string
  imports?: string[]
}

const dist = join(import.meta.dirname, '../web/dist')

/** Bytes of the scripts that a page loads with its library, gzip. */
async function scriptBytes(sources: readonly string[]): Promise<number> {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const files = new Set<string>()
  const visit = (source: string) => {
    const key = manifest[source]
      ? source
      : Object.keys(manifest).find((each) => manifest[each]?.name === source)
    const chunk = key === undefined ? undefined : manifest[key]
    if (!chunk) throw new Error(`The build has no chunk ${source}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  sources.forEach(visit)
  const sizes = await Promise.all(
    Array.from(files, async (file) => (await promisify(gzip)(await readFile(join(dist, file)))).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

// Budgets in kB; `npm run bench -- page` measures the same over the network.
for (const [page, budget, sources] of [
  ['home', 143, ['index.html']],
  ['watch', 310, ['index.html', 'src/pages/watch/watch-page.tsx', 'hls']],
] as const)
  test(`the scripts of the ${page} page stay below ${budget} kB`, async () => {
    expect(await scriptBytes(sources)).toBeLessThan(budget * 1000)
  })
