import { lingui } from '@lingui/vite-plugin'
import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import globalData from '@csstools/postcss-global-data'
import react from '@vitejs/plugin-react'
import customMedia from 'postcss-custom-media'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { contractCalls } from './calls-build.ts'
import { serviceWorker } from './service-worker-build.ts'
import { skeletons } from './skeleton-build.ts'

const server = process.env['KINORA_SERVER'] ?? 'http://127.0.0.1:3000'

/** Tells `start.js` the Latin font, which it preloads. Its hashed name is known after bundling. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const face = Object.keys(bundle ?? {}).find((file) => /latin-wght-normal.*\.woff2$/.test(file))
        return face ? html.replace('src="/start.js"', `src="/start.js" data-font="/${face}"`) : html
      },
    },
  }
}

/** Writes precompressed copies of each text file, which the server sends as they are. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: {
      // after the service worker is written
      order: 'post',
      sequential: true,
      async handler({ dir = '' }) {
        const names = await readdir(dir, { recursive: true })
        await Promise.all(
          names
            .filter((name) => /\.(js|css|svg)$/.test(name))
            .map(async (name) => {
              const file = join(dir, name)
              const content = await readFile(file)
              await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
              await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
            }),
        )
      },
    },
  }
}

/** Features of hls.js that fragmented MP4 without encryption does not use, as its own build switches them. */
const unusedHlsFeatures = [
  'CMCD',
  'CONTENT_STEERING',
  'EME_DRM',
  'IFRAMES',
  'INTERSTITIALS',
  'M2TS_ADVANCED_CODECS',
  'MEDIA_CAPABILITIES',
  'SUBTITLES',
  'VARIABLE_SUBSTITUTION',
]

/** The containers besides fragmented MP4 that hls.js turns into it. */
const otherContainers = /^(import \{? ?(AAC|AC3|MP3|TS)Demuxer| *\{ demux: (AAC|MP3|TS)Demuxer,).*\n/gm

/**
 * Compiles hls.js from its published sources with the constants of its own build, and without other containers than ours.
 * Its `light` build lacks alternate audio, and the full one is more than a third larger.
 */
function hlsFromSource(): Plugin {
  const directory = dirname(createRequire(import.meta.url).resolve('hls.js/package.json'))
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }
  return {
    name: 'hls-from-source',
    config: () => ({
      resolve: { alias: [{ find: /^hls\.js$/, replacement: join(directory, 'src/exports-default.ts') }] },
      define: {
        __VERSION__: JSON.stringify(version),
        __USE_ALT_AUDIO__: 'true',
        __IN_WORKER__: 'false',
        __HLS_WORKER_BUNDLE__: 'undefined',
        ...Object.fromEntries(unusedHlsFeatures.map((name) => [`__USE_${name}__`, 'false'])),
      },
      optimizeDeps: { exclude: ['hls.js'] },
    }),
    transform: {
      order: 'pre',
      filter: { id: /\/hls\.js\/src\/demux\/transmuxer\.ts$/ },
      handler(code) {
        const short = code.replaceAll(otherContainers, '')
        if (short.length === code.length) this.error('hls.js lists its containers in another form')
        return short
      },
    },
  }
}

type ModuleInfo = { id: string; isEntry: boolean; importers: readonly string[] }
type ModuleGraph = { getModuleInfo(id: string): ModuleInfo | null }

/** Whether a module is reachable from `isRoot` without a dynamic import. */
function isReachable(
  id: string,
  graph: ModuleGraph,
  isRoot: (module: ModuleInfo) => boolean,
  seen = new Set<string>(),
): boolean {
  const info = graph.getModuleInfo(id)
  // The barrel of the icons imports all of them; each chunk needs only its own.
  if (!info || seen.has(id) || id.includes('lucide-react')) return false
  seen.add(id)
  return isRoot(info) || info.importers.some((importer) => isReachable(importer, graph, isRoot, seen))
}

const isEntry = (module: ModuleInfo) => module.isEntry
const isWatchPage = (module: ModuleInfo) => module.id.endsWith('/watch-page.tsx')

/** Compiles the catalogs of messages and the marks of messages in the sources: see `lingui.config.ts`. */
export const messages = lingui({ cwd: import.meta.dirname, macroTransform: true, failOnCompileError: true })

const shared: UserConfig = {
  css: {
    postcss: {
      plugins: [globalData({ files: [join(import.meta.dirname, 'src/styles/media.css')] }), customMedia()],
    },
    // File names are unique, and names compress better than hashes.
    modules: { generateScopedName: (local, file) => `${basename(file).split('.')[0]}_${local}` },
  },
}

export default defineConfig({
  ...shared,
  plugins: [
    ...messages,
    contractCalls(),
    react(),
    hlsFromSource(),
    preloadFont(),
    skeletons(shared, messages),
    serviceWorker(),
    precompress(),
  ],
  server: {
    host: '127.0.0.1',
    // Component tests run without a server.
    proxy: process.env['VITEST'] ? {} : { '/api': server, '/media': server, '/oembed': server },
  },
  build: {
    outDir: 'dist',
    // The server reads it to preload the chunks of a page, the service worker is built from it.
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Inlined assets would need `data:` in the CSP.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // One chunk for code that every page needs: it compresses best together.
        codeSplitting: {
          groups: [
            // The server preloads this name on watch pages.
            { name: 'hls', test: /[\\/]node_modules[\\/](hls\.js|@svta|eventemitter3|url-toolkit)[\\/]/ },
            { name: (id, graph) => (isReachable(id, graph, isEntry) ? 'base' : null) },
            // Code shared by several pages: many tiny chunks would each cost a round trip. A group takes what its modules import
            // along, so those that others build on come first, and what only some pages need is a group of its own.
            {
              name: (id, graph) => (isReachable(id, graph, isWatchPage) ? 'watch' : null),
              minShareCount: 2,
            },
            // Without those that no watch page shows.
            {
              name: 'icons',
              test: /[\\/]lucide-react[\\/](?!.*[\\/](calendar-clock|camera|chart-column|image-plus|mic|mic-off|monitor-up|radio|scissors|shield-check|square)\.m?js$)/,
              minShareCount: 2,
            },
            // Large libraries of a few pages, and what only some pages share, stay out of what all pages load.
            { name: 'virtual', test: /[\\/]@tanstack[\\/](virtual-core|react-virtual)[\\/]/ },
            { name: 'mediabunny', test: /[\\/]mediabunny[\\/]/ },
            { name: 'shared', minShareCount: 10 },
            { name: 'common', test: /^(?!.*[\\/]features[\\/]live[\\/])/, minShareCount: 3 },
            { name: 'live', test: /[\\/]features[\\/]live[\\/]/, minShareCount: 2 },
            // Each page on its own would add its name to the first script, which everybody loads: pages of one place, or that are rare, share a chunk.
            { name: 'administration', test: /[\\/]pages[\\/]administration[\\/]/ },
            { name: 'clips', test: /[\\/]web[\\/]src[\\/]pages[\\/]clips[\\/]/ },
            {
              name: 'library',
              test: /[\\/]web[\\/]src[\\/]pages[\\/]library[\\/](?!notifications|playlist)/,
            },
            { name: 'sessions', test: /[\\/]web[\\/]src[\\/]pages[\\/]sessions[\\/](?!login|register)/ },
            {
              name: 'studio',
              test: /[\\/]web[\\/]src[\\/]pages[\\/]studio[\\/](?!analytics|live|record|studio-cut)/,
            },
            { name: 'dashboard', test: /[\\/]web[\\/]src[\\/]pages[\\/]dashboard[\\/](edit|delete)/ },
          ],
        },
      },
    },
  },
})
