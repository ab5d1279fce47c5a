import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Manifest, type Plugin } from 'vite'

/** Fixed names that the frame needs, and the page that the service worker opens without a network. */
const ownFiles = ['start.js', 'favicon.svg']
const SHELL = '/offline'

/** Compiles `src/service-worker/service-worker.ts` to `/service-worker.js`, with the names of the files that it stores. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    async writeBundle({ dir = '' }) {
      const manifest = JSON.parse(await readFile(join(dir, '.vite/manifest.json'), 'utf8')) as Manifest
      const shell = filesOf(manifest, 'index.html').filter(
        (file) => !/cyrillic|latin-ext|vietnamese/.test(file),
      )
      const contents = await Promise.all(ownFiles.map((file) => readFile(join(dir, file))))
      // The shell names the hashed files, so it changes with them.
      const revision = createHash('sha256')
        .update(shell.join())
        .update(Buffer.concat(contents))
        .digest('hex')
        .slice(0, 16)
      const files = [
        ...shell.map((file) => ({ url: `/${file}`, revision: null })),
        ...[...ownFiles.map((file) => `/${file}`), SHELL].map((url) => ({ url, revision })),
      ]
      await writeFile(join(dir, 'service-worker.js'), await compile(files))
    },
    configureServer({ middlewares }) {
      middlewares.use('/service-worker.js', (_request, response, next) => {
        compile([]).then((code) => response.setHeader('content-type', 'text/javascript').end(code), next)
      })
    },
  }
}

/** The files of a chunk and of what it imports. */
function filesOf(manifest: Manifest, source: string): string[] {
  const sources = new Set<string>()
  const visit = (each: string) => {
    if (sources.has(each)) return
    sources.add(each)
    manifest[each]?.imports?.forEach(visit)
  }
  visit(source)
  return [...sources].flatMap((each) => {
    const { file, css = [], assets = [] } = manifest[each] ?? {}
    return [...(file ? [file] : []), ...css, ...assets]
  })
}

async function compile(files: { url: string; revision: string | null }[]): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    define: { __SHELL_FILES__: JSON.stringify(files), 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      // A classic script: not every browser starts modules as service workers.
      lib: { entry: 'src/service-worker/service-worker.ts', formats: ['iife'], name: 'serviceWorker' },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('The build of the service worker returned no output')
  return output.output[0].code
}
