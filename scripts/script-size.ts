import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Checks how many bytes of scripts a page loads, gzip. `npm run bench -- page` measures the same over the network. A budget
 * is today's size and never grows: a feature that needs more in a first script makes something else smaller or loads later.
 * The end-to-end test of the home page asserts that it loads nothing besides.
 */
const budgets = [
  { page: 'home', kilobytes: 145, sources: ['index.html'] },
  { page: 'login', kilobytes: 218, sources: ['index.html', 'src/pages/sessions/login-page.tsx'] },
  { page: 'channel', kilobytes: 215, sources: ['index.html', 'src/pages/channel/channel-page.tsx'] },
  { page: 'watch', kilobytes: 297, sources: ['index.html', 'src/pages/watch/watch-page.tsx', 'hls'] },
]

interface Chunk {
  file: string
  name?: string
  imports?: string[]
}

const dist = join(import.meta.dirname, '../web/dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

/** Files of scripts that the chunks of `sources` load, each with its bytes after gzip. */
function filesOf(sources: string[]): Map<string, number> {
  const sizes = new Map<string, number>()
  const visit = (source: string) => {
    const chunk = manifest[source] ?? Object.values(manifest).find(({ name }) => name === source)
    if (!chunk) throw new Error(`The build has no chunk ${source}`)
    if (sizes.has(chunk.file)) return
    sizes.set(chunk.file, gzipSync(readFileSync(join(dist, chunk.file))).length)
    chunk.imports?.forEach(visit)
  }
  sources.forEach(visit)
  return sizes
}

for (const { page, kilobytes, sources } of budgets) {
  const files = filesOf(sources)
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0)
  if (bytes <= kilobytes * 1000) continue
  process.exitCode = 1
  console.log(`The scripts of the ${page} page have ${bytes} bytes, ${kilobytes * 1000} are the budget:`)
  for (const [file, size] of files) console.log(`${String(size).padStart(8)}  ${file}`)
}
