import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
  resolve: { alias: { zod: fileURLToPath(new URL('src/no-schemas.ts', import.meta.url)) } },
  plugins: [react(), preloadFont()],
  server: {
    host: '127.0.0.1',
    proxy: { '/api': server, '/media': server, '/embed': server, '/oembed': server },
  },
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Everything small enough to inline would need data: in the CSP, so nothing is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/,
            },
          ],
        },
      },
    },
  },
})
