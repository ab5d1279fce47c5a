import { dirname, join, normalize } from 'node:path'

/** Path from the root of the repository -> text. */
export type SourceFiles = Map<string, string>

/**
 * The folders of each level and which of them import which: parent -> folder -> imported folders. Where `a/b/x.ts`
 * imports `a/c/y.ts`, folder `b` of `a` imports `c`.
 */
export function folderImports(files: SourceFiles): Map<string, Map<string, Set<string>>> {
  const levels = new Map<string, Map<string, Set<string>>>()
  for (const { path, target } of relativeImports(files)) {
    const from = path.split('/')
    const to = target.split('/')
    const depth = from.findIndex((part, index) => part !== to[index])
    const [folder, imported] = [from[depth], to[depth]]
    const areFolders = depth < from.length - 1 && depth < to.length - 1
    if (folder === undefined || imported === undefined || !areFolders) continue
    const parent = from.slice(0, depth).join('/')
    const edges = levels.get(parent) ?? new Map<string, Set<string>>()
    levels.set(parent, edges.set(folder, (edges.get(folder) ?? new Set()).add(imported)))
  }
  return levels
}

/** Every cycle once, as the nodes on the way from one of them back to it. */
export function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const cycles = new Map<string, string[]>()
  const walk = (node: string, trail: string[]) => {
    const seenAt = trail.indexOf(node)
    if (seenAt >= 0) {
      const cycle = trail.slice(seenAt)
      const key = cycle.toSorted().join()
      if (!cycles.has(key)) cycles.set(key, [...cycle, node])
      return
    }
    for (const next of edges.get(node) ?? []) walk(next, [...trail, node])
  }
  for (const node of edges.keys()) walk(node, [])
  return [...cycles.values()]
}

/** Folders, floors, arrows and circles of a level, in one line. */
export function describeLevel(files: SourceFiles, parent: string): string {
  const edges = folderImports(files).get(parent) ?? new Map<string, Set<string>>()
  const inside = [...files.keys()].filter((path) => path.startsWith(`${parent}/`))
  const names = inside.map((path) => path.slice(parent.length + 1).split('/'))
  const folders = new Set(names.flatMap(([folder = '', ...rest]) => (rest.length > 0 ? [folder] : [])))
  const floorOf = (folder: string, above: readonly string[] = []): number => {
    const below = [...(edges.get(folder) ?? [])].filter((each) => !above.includes(each) && each !== folder)
    return 1 + Math.max(0, ...below.map((each) => floorOf(each, [...above, folder])))
  }
  const floors = Math.max(0, ...[...folders].map((folder) => floorOf(folder)))
  const arrows = [...edges.values()].reduce((sum, imported) => sum + imported.size, 0)
  const circles = findCycles(edges).length
  return `${parent}: ${folders.size} folders, ${floors} floors, ${arrows} arrows, ${circles} circles`
}

/** The imports of a repository's own files, without those of tests. */
export function relativeImports(files: SourceFiles) {
  return [...files].flatMap(([path, text]) =>
    importsOf(isTest(path) ? '' : text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ path, target: normalize(join(dirname(path), specifier)) })),
  )
}

export const isTest = (path: string) => /[.](test|cluster|e2e|bench)[.]tsx?$/.test(path)

function importsOf(text: string): string[] {
  const statements = text.matchAll(/\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g)
  return [...statements].map(([, from, bare]) => from ?? bare ?? '')
}
