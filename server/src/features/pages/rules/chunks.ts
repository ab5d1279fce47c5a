import { z } from 'zod'
import type { Page } from './page.ts'

const Chunk = z.object({
  file: z.string(),
  name: z.string().optional(),
  imports: z.array(z.string()).default([]),
  dynamicImports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
})

/** What the build tells of its files (`.vite/manifest.json`), by source. */
export const Manifest = z.record(z.string(), Chunk)
export type Manifest = z.infer<typeof Manifest>

/** The files of a page's own, beyond those of every page. */
export interface Chunks {
  scripts: string[]
  /** Scripts that are needed only once the page stands. */
  libraries: string[]
  styles: string[]
}

/** Where the code of a page begins, as `web/src/routes.tsx` loads it. */
function entriesOf(page: Page): string[] {
  if (page.kind === 'video') return ['watch-page']
  if (page.kind === 'embed') return ['embed-page']
  if (page.kind === 'search') return ['search-page']
  if (page.kind === 'channel')
    return page.isCanonical ? ['channel-page', 'channel-videos-page'] : ['channel-page']
  if (page.kind === 'plain') return [`${page.name}-page`]
  return []
}

/** The source of a page, in whichever folder of `web/src/pages/` it is. */
function sourceOf(manifest: Manifest, name: string): string | undefined {
  return Object.keys(manifest).find(
    (source) => source.startsWith('src/pages/') && source.endsWith(`/${name}.tsx`),
  )
}

/** Which skeleton the build made for a page (`web/src/skeletons.tsx`); a player in a frame has none. */
export function skeletonNameOf(page: Page): string | undefined {
  if (page.kind === 'embed') return undefined
  if (page.kind === 'video') return 'watch'
  if (page.kind === 'channel') return page.isCanonical ? 'channel' : 'channel-tab'
  return page.kind === 'home' ? 'home' : 'frame'
}

/** As the build names the player's library, which the player asks for only once it runs. */
const playerLibrary = 'hls'

/** What a page's code consists of, so that all of it is fetched at once instead of file after file. */
export function chunksOf(manifest: Manifest, page: Page): Chunks {
  const known = new Set(closureOf(manifest, ['index.html']))
  const own = closureOf(
    manifest,
    entriesOf(page).flatMap((name) => sourceOf(manifest, name) ?? []),
  ).filter((source) => !known.has(source))
  // a frame plays only when pressed
  const libraries =
    page.kind === 'video'
      ? own
          .flatMap((source) => manifest[source]?.dynamicImports ?? [])
          .filter((source) => manifest[source]?.name === playerLibrary)
      : []
  const later = closureOf(manifest, libraries).filter((source) => !known.has(source) && !own.includes(source))
  const chunks = [...own, ...later].flatMap((source) => manifest[source] ?? [])
  const addressOf = (source: string) => (manifest[source] ? [`/${manifest[source].file}`] : [])
  return {
    scripts: own.flatMap(addressOf),
    libraries: later.flatMap(addressOf),
    styles: [...new Set(chunks.flatMap(({ css }) => css))].map((file) => `/${file}`),
  }
}

/** What the sources import, themselves behind it: a page's own styles come after those that it builds on. */
function closureOf(manifest: Manifest, sources: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (source: string): string[] => {
    const chunk = manifest[source]
    if (!chunk || seen.has(source)) return []
    seen.add(source)
    return [...chunk.imports.flatMap(visit), source]
  }
  return sources.flatMap(visit)
}
