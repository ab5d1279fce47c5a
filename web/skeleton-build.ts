import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, type UserConfig } from 'vite'

/**
 * Writes what stands in the HTML until the scripts run, by rendering `src/skeletons.tsx`, to `.skeletons/<name>.html`
 * beside the built files; the server puts it into its pages.
 */
export function skeletons(shared: UserConfig): Plugin {
  return {
    name: 'skeletons',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const folder = join(dir, '.skeletons')
      await build({
        ...shared,
        configFile: false,
        root: import.meta.dirname,
        logLevel: 'warn',
        build: { ssr: 'src/skeletons.tsx', outDir: folder, assetsInlineLimit: 0, emptyOutDir: true },
      })
      const module: unknown = await import(pathToFileURL(join(folder, 'skeletons.js')).href)
      await rm(folder, { recursive: true })
      await mkdir(folder)
      // The module was built a line above, from skeletons.tsx.
      const { skeletons: pages } = module as { skeletons: Record<string, string> }
      for (const [name, markup] of Object.entries(pages)) {
        // The policy of the pages refuses style attributes: what is shown here gets its sizes from style sheets.
        if (markup.includes(' style=')) this.error(`The skeleton of "${name}" holds a style attribute`)
        await writeFile(join(folder, `${name}.html`), markup)
      }
    },
  }
}
