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

/** Preloads the Latin font, whose hashed name is known after bundling. */
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
 * Lets `start.js` start the application. Its file is preloaded with a lower priority than styles, fonts and the first image,
 * which are visible before it runs.
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

/** Writes precompressed copies of each text file, which the server sends as they are. */
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

/** Code of the router for framework mode, forms and fetchers, which this site does not use, by file. */
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
  // Checks for developers that hooks are used inside a router.
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
 * Makes those parts of the router unreachable for the bundler, and drops display names that only developer tools show. Both
 * keep unused code in the bundle.
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
          // Another version may have another text: fail the build instead of growing silently.
          if (!code.includes(expression)) this.error(`${id} does not contain "${expression}" any more`)
          lean = lean.replaceAll(expression, instead)
        }
        return lean
      },
    },
  }
}

type ModuleGraph = { getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null }

/** Whether a module is reachable from the entry without a dynamic import. */
function isInitial(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  const info = graph.getModuleInfo(id)
  // The barrel of the icons imports all of them; each chunk needs only its own.
  if (!info || seen.has(id) || id.includes('lucide-react')) return false
  seen.add(id)
  return info.isEntry || info.importers.some((importer) => isInitial(importer, graph, seen))
}

const shared: UserConfig = {
  resolve: { alias: { zod: fileURLToPath(new URL('src/no-schemas.ts', import.meta.url)) } },
  css: {
    // File names are unique, and names compress better than hashes.
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
    // The server reads it to preload the chunks of a page.
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Inlined assets would need `data:` in the CSP.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // No dependency has side effects on import or on property access.
        propertyReadSideEffects: false,
        unknownGlobalSideEffects: false,
        moduleSideEffects: [{ test: /[\\/]node_modules[\\/].*\.m?js$/, sideEffects: false }],
        manualPureFunctions: ['z', 'endpoint', 'React.forwardRef', 'React.createContext', 'React.memo'],
      },
      output: {
        // Prefetched chunks are compiled on arrival instead of on click (v8.dev/blog/explicit-compile-hints).
        // Not the shared chunk: compiling all of it would delay the first paint.
        postBanner: ({ isEntry }) => (isEntry ? '' : '//# allFunctionsCalledOnLoad'),
        // One chunk for code that every page needs: it compresses best together.
        codeSplitting: {
          groups: [
            // The server preloads this name on watch pages.
            { name: 'hls', test: /[\\/]node_modules[\\/](hls\.js|@svta|eventemitter3|url-toolkit)[\\/]/ },
            { name: (id, graph) => (isInitial(id, graph) ? 'base' : null) },
            // Code shared by several pages: many tiny chunks would each cost a round trip.
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
})
