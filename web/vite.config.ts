import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { leanContract } from './contract-build.ts'
import { trimmedHls } from './hls-build.ts'
import { skeletons } from './skeleton-build.ts'

const server = process.env['KINORA_SERVER'] ?? 'http://127.0.0.1:3000'

/** Preloads the Latin face, whose hashed name is known only once the bundle is. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const face = Object.keys(bundle ?? {}).find((file) => /latin-wght-normal.*\.woff2$/.test(file))
        if (!face) return []
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${face}` }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

/**
 * Leaves it to `start.js` when the application begins. Its file is fetched at once, but behind what is seen before it
 * runs: styles, letters, the first picture.
 */
function beginBehindFirstPaint(): Plugin {
  const entry = /<script type="module" crossorigin src="([^"]+)"><\/script>/
  return {
    name: 'begin-behind-first-paint',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        if (!entry.test(html)) this.error('index.html has no module script to hold back')
        return html
          .replace(entry, '<link rel="modulepreload" crossorigin data-begin href="$1">')
          .replaceAll('rel="modulepreload"', 'rel="modulepreload" fetchpriority="low"')
      },
    },
  }
}

/** Writes each text file a second and third time, compressed as far as it goes; the server sends those as they are. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true })
      await Promise.all(
        names
          .filter((name) => /\.(js|css|svg)$/.test(name))
          .map(async (name) => {
            const file = join(outDir, name)
            const content = await readFile(file)
            await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
            await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
          }),
      )
    },
  }
}

/** What the router has for its own framework mode, for forms and for fetchers, and a site of our kind does not use, by file. */
const unusedOfRouter: Record<string, [expression: string, instead: string][]> = {
  'lib/router/router.js': [
    ['init.instrumentations', 'undefined'],
    ['init.patchRoutesOnNavigation', 'undefined'],
    ['opts.submission && isMutationMethod(opts.submission.formMethod)', 'false'],
    ['\t\tfetch,\n', ''],
    ['\t\tpatchRoutes,\n', ''],
    ['\t\t_internalSetRoutes,\n', ''],
    ['if (!args.matches.some((m) => m.route.middleware)) return', 'return'],
    ['invariant(init.routes.length > 0, ', 'void ('],
  ],
  'lib/dom/lib.js': [['shouldPrefetch && !isAbsolute', 'false']],
  // What tells developers that they use it in a wrong place.
  'lib/hooks.js': [
    ['invariant(useInRouterContext(), ', 'void ('],
    ['warning(activeRef.current, ', 'void ('],
  ],
  'lib/components.js': [
    ['invariant(useInRouterContext(), ', 'void ('],
    ['invariant(!useInRouterContext(), ', 'void ('],
    ['warning(!isStatic, ', 'void ('],
    ['warning(locationContext != null, ', 'void ('],
  ],
}

/**
 * Lets the bundler see that those parts of the router are never reached, and drops the names that only developer tools
 * show; each keeps code in the bundle that nobody runs.
 */
function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]node_modules[\\/]react-router[\\/]/ },
      handler(code, id) {
        const [, file = ''] = /[\\/](lib[\\/].*)$/.exec(id) ?? []
        let lean = code.replaceAll(/^\w+\.displayName = "\w+";$/gm, '')
        for (const [expression, instead] of unusedOfRouter[file.replaceAll('\\', '/')] ?? []) {
          // Another version may have another text: better no build than one that silently grew.
          if (!code.includes(expression)) this.error(`${id} does not contain "${expression}" any more`)
          lean = lean.replaceAll(expression, instead)
        }
        return lean
      },
    },
  }
}

type ModuleGraph = { getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null }

/** Whether a module is needed before any page's own file: reached from the entry without a dynamic import. */
function isInitial(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  const info = graph.getModuleInfo(id)
  // The icons' barrel imports every icon; only whoever names one needs it.
  if (!info || seen.has(id) || id.includes('lucide-react')) return false
  seen.add(id)
  return info.isEntry || info.importers.some((importer) => isInitial(importer, graph, seen))
}

const shared: UserConfig = {
  resolve: { alias: { zod: fileURLToPath(new URL('src/no-schemas.ts', import.meta.url)) } },
  css: {
    // File names are unique, and words compress where hashes cannot.
    modules: { generateScopedName: (local, file) => `${basename(file).split('.')[0]}_${local}` },
  },
}

export default defineConfig({
  ...shared,
  plugins: [
    leanContract(),
    leanRouter(),
    react(),
    trimmedHls(),
    preloadFont(),
    beginBehindFirstPaint(),
    skeletons(shared),
    precompress(),
  ],
  server: {
    host: '127.0.0.1',
    proxy: { '/api': server, '/media': server, '/oembed': server },
  },
  build: {
    outDir: 'dist',
    // The server preloads from it what a page consists of.
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Everything small enough to inline would need data: in the CSP, so nothing is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // No dependency has getters or globals whose mere reading does something, nor files that act when imported.
        propertyReadSideEffects: false,
        unknownGlobalSideEffects: false,
        moduleSideEffects: [{ test: /[\\/]node_modules[\\/].*\.m?js$/, sideEffects: false }],
        manualPureFunctions: ['z', 'endpoint', 'React.forwardRef', 'React.createContext', 'React.memo'],
      },
      output: {
        // What comes ahead of a click is compiled as it comes, not while the click waits (v8.dev/blog/explicit-compile-hints).
        // Not what every page needs: its first picture would wait for all of that.
        postBanner: ({ isEntry }) => (isEntry ? '' : '//# allFunctionsCalledOnLoad'),
        // One file for what every page needs: it compresses best together, and pages add only their own.
        codeSplitting: {
          groups: [
            // The server's pages know this name: a watch page fetches it beside everything else.
            { name: 'hls', test: /[\\/]node_modules[\\/](hls\.js|@svta|eventemitter3|url-toolkit)[\\/]/ },
            { name: (id, graph) => (isInitial(id, graph) ? 'base' : null) },
            // What several pages have in common: a dozen files of a few hundred bytes would each cost a round trip.
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
})
