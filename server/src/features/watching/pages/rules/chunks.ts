import { languageTags } from '@kinora/contract/languages.ts'
import { z } from 'zod'
import type { Page } from './page.ts'

const Chunk = z.object({
  file: z.string(),
  name: z.string().optional(),
  imports: z.array(z.string()).default([]),
  dynamicImports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
})

/** Manifest of the build (`.vite/manifest.json`), by source. */
export const Manifest = z.record(z.string(), Chunk)
export type Manifest = z.infer<typeof Manifest>

/** Files that only this page needs. */
export interface Chunks {
  scripts: string[]
  styles: string[]
}

/** Entry modules of a page, as `web/src/routes.tsx` loads them. */
function entriesOf(page: Page): string[] {
  if (page.kind === 'video') return ['watch-page']
  if (page.kind === 'embed') return ['embed-page']
  if (page.kind === 'clip' || page.kind === 'clip-embed') return [`${page.kind}-page`]
  if (page.kind === 'search') return ['search-page']
  if (page.kind === 'playlist') return ['playlist-page']
  if (page.kind === 'channel')
    return page.isCanonical ? ['channel-page', 'channel-videos-page'] : ['channel-page']
  if (page.kind === 'plain') return [`${page.name}-page`]
  return []
}

/** The source of a page, in any folder of `web/src/pages/`. */
function sourceOf(manifest: Manifest, name: string): string | undefined {
  return Object.keys(manifest).find(
    (source) => source.startsWith('src/pages/') && source.endsWith(`/${name}.tsx`),
  )
}

/** The skeleton that the build made for a page (`web/src/skeletons.tsx`). The embedded player has none. */
export function skeletonNameOf(page: Page): string | undefined {
  if (page.kind === 'embed' || page.kind === 'clip-embed') return undefined
  if (page.kind === 'video') return 'watch'
  if (page.kind === 'channel') return page.isCanonical ? 'channel' : 'channel-tab'
  return page.kind === 'home' ? 'home' : 'frame'
}

/** The build's name for the player's library, which the player loads dynamically. */
const playerLibrary = 'hls'

/** The messages that a page shows first, for each language. Those of `base` in English come with the first script. */
export function messagesOf(manifest: Manifest, page: Page): Record<string, string[]> {
  const isWatched = page.kind === 'video' || page.kind === 'embed'
  const files = languageTags.map((language) => {
    const parts = [...(language === 'en' ? [] : ['base']), ...(isWatched ? ['watch'] : [])]
    const chunks = parts.flatMap((part) => manifest[`src/locales/${language}/${part}.po`] ?? [])
    return [language, chunks.map(({ file }) => `/${file}`)] as const
  })
  return Object.fromEntries(files.filter(([, addresses]) => addresses.length > 0))
}

/** The files of a page's code, to be fetched in parallel instead of one after the other. */
export function chunksOf(manifest: Manifest, page: Page): Chunks {
  const known = new Set(closureOf(manifest, ['index.html']))
  const own = closureOf(
    manifest,
    entriesOf(page).flatMap((name) => sourceOf(manifest, name) ?? []),
  ).filter((source) => !known.has(source))
  // an embedded player plays only when pressed
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
    scripts: [...own, ...later].flatMap(addressOf),
    styles: [...new Set(chunks.flatMap(({ css }) => css))].map((file) => `/${file}`),
  }
}

/** Imports of the sources, dependencies first, so that a page's own styles override those that it builds on. */
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
