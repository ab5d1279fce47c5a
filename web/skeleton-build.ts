import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, type UserConfig } from 'vite'

/**
 * Renders `src/skeletons.tsx`, the HTML shown until scripts run, to `.skeletons/<name>.html` beside the built files. The
 * server inserts it into its pages.
 */
export function skeletons(shared: UserConfig, messages: Plugin[]): Plugin {
  return {
    name: 'skeletons',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const folder = join(dir, '.skeletons')
      await build({
        ...shared,
        plugins: messages,
        configFile: false,
        root: import.meta.dirname,
        logLevel: 'warn',
        build: { ssr: 'src/skeletons.tsx', outDir: folder, assetsInlineLimit: 0, emptyOutDir: true },
      })
      const module: unknown = await import(pathToFileURL(join(folder, 'skeletons.js')).href)
      await rm(folder, { recursive: true })
      await mkdir(folder)
      // Built above from skeletons.tsx.
      const { skeletons: pages } = module as { skeletons: Record<string, string> }
      for (const [name, markup] of Object.entries(pages)) {
        // The CSP forbids style attributes, so sizes come from style sheets.
        if (markup.includes(' style=')) this.error(`The skeleton of "${name}" holds a style attribute`)
        await writeFile(join(folder, `${name}.html`), markup)
      }
    },
  }
}
