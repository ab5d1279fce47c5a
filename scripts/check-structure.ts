import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

/**
 * The walls that no linter knows: how files may be called, what a server feature consists of, which features may
 * know each other, and who writes which table. The directions between layers are in `.oxlintrc.json`.
 */

const vocabulary = ['routes', 'queries', 'rules', 'actions', 'jobs']
const importableFromOtherFeatures = ['queries', 'rules', 'actions']
const banned = [
  'index',
  'utils',
  'util',
  'helpers',
  'helper',
  'misc',
  'common',
  'types',
  'manager',
  'service',
]
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/
const featureRoot = 'server/src/features/'

/** Path from the root of the repository -> text. */
export type SourceFiles = Map<string, string>

/** Every breach of the structure, as one sentence each. */
export function checkStructure(files: SourceFiles): string[] {
  return [
    ...checkNames(files),
    ...checkVocabulary(files),
    ...checkFeatureImports(files),
    ...checkFeatureCycles(files),
    ...checkWebFeatureImports(files),
    ...checkContractImports(files),
    ...checkEffectBodies(files),
    ...checkSqlPlaces(files),
    ...checkTableOwners(files),
    ...checkEnvironmentReaders(files),
    ...checkMigrationNumbers(files),
    ...checkMigrationSafety(files),
  ]
}

function checkNames(files: SourceFiles): string[] {
  return [...files.keys()].flatMap((path) => {
    const [stem = ''] = basename(path).split('.')
    if (banned.includes(stem)) return [`${path}: "${stem}" says nothing; name the file after what it holds`]
    if (!kebabCase.test(stem)) return [`${path}: file names are kebab-case`]
    return []
  })
}

function checkVocabulary(files: SourceFiles): string[] {
  return serverFeatureFiles(files).flatMap(({ path, inFeature }) => {
    if (path.endsWith('.test.ts')) return []
    const isKnown = inFeature.some((part) => vocabulary.includes(part.replace(/\.ts$/, '')))
    return isKnown
      ? []
      : [`${path}: a feature consists of ${vocabulary.join(', ')} (a file, or a folder of that name)`]
  })
}

function checkFeatureImports(files: SourceFiles): string[] {
  return featureImports(files).flatMap(({ from, to, path, target }) => {
    if (from === to || path.endsWith('.test.ts')) return []
    const allowed = target
      .slice(featureRoot.length)
      .split('/')
      .some((part) => importableFromOtherFeatures.includes(part.replace(/\.ts$/, '')))
    return allowed
      ? []
      : [`${path}: of another feature only ${importableFromOtherFeatures.join(', ')}, not ${target}`]
  })
}

function checkFeatureCycles(files: SourceFiles): string[] {
  const edges = new Map<string, Set<string>>()
  for (const { from, to, path } of featureImports(files)) {
    if (from === to || path.endsWith('.test.ts')) continue
    edges.set(from, (edges.get(from) ?? new Set()).add(to))
  }
  const cycles = new Map<string, string>()
  const walk = (feature: string, trail: string[]) => {
    const seenAt = trail.indexOf(feature)
    if (seenAt >= 0) {
      const cycle = trail.slice(seenAt)
      cycles.set(
        cycle.toSorted().join(),
        `${[...cycle, feature].join(' -> ')}: features must not form a cycle`,
      )
      return
    }
    for (const next of edges.get(feature) ?? []) walk(next, [...trail, feature])
  }
  for (const feature of edges.keys()) walk(feature, [])
  return [...cycles.values()]
}

function checkWebFeatureImports(files: SourceFiles): string[] {
  const root = 'web/src/features/'
  const featureOf = (path: string) => path.slice(root.length).split('/')[0]
  return relativeImports(files)
    .filter(({ path, target }) => path.startsWith(root) && target.startsWith(root))
    .filter(({ path, target }) => featureOf(path) !== featureOf(target))
    .map(
      ({ path, target }) => `${path}: web features do not know each other (${target}); a page composes them`,
    )
}

function checkContractImports(files: SourceFiles): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith('contract/src/') || path.endsWith('.test.ts')) return []
    return importsOf(text)
      .filter((specifier) => specifier !== 'zod' && !specifier.startsWith('./'))
      .map((specifier) => `${path}: the contract imports only zod and itself, not ${specifier}`)
  })
}

/**
 * React keeps what an effect or a ref returns and calls it as its clean-up. A call may come to return something in a
 * browser that is newer than the types of the DOM, as `scrollIntoView` did.
 */
function checkEffectBodies(files: SourceFiles): string[] {
  const opening = /\b(?:use(?:Layout|Insertion)?Effect\(|ref=\{)\s*\(?\w*\)?\s*=>\s*(?!\s|\{|\(\)\s*=>)/
  return [...files].flatMap(([path, text]) =>
    path.startsWith('web/src/') && opening.test(text)
      ? [`${path}: what an effect or a ref calls stands in braces; it may return only a clean-up`]
      : [],
  )
}

function checkSqlPlaces(files: SourceFiles): string[] {
  const sql = /\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^`]*>)?`/
  return serverFeatureFiles(files).flatMap(({ path, text, inFeature }) => {
    const isQueries = inFeature.some((part) => part === 'queries' || part === 'queries.ts')
    if (isQueries || path.endsWith('.test.ts') || !sql.test(text)) return []
    return [`${path}: SQL lives in queries.ts`]
  })
}

/** Any feature may read any table; exactly one writes to it. */
function checkTableOwners(files: SourceFiles): string[] {
  const writers = new Map<string, Set<string>>()
  const builder = /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g
  const plain = /\b(?:insert\s+into|update(?!\s+(?:set|skip)\b)|delete\s+from|merge\s+into)\s+(\w+)(?=[\s(])/g
  for (const { path, text, feature } of serverFeatureFiles(files)) {
    if (path.endsWith('.test.ts')) continue
    const statements = [...text.matchAll(/sql(?:<[^`]*>)?`([^`]*)`/g)].flatMap(([, body = '']) => [
      ...body.matchAll(plain),
    ])
    for (const [, table = ''] of [...text.matchAll(builder), ...statements]) {
      writers.set(table, (writers.get(table) ?? new Set()).add(feature))
    }
  }
  return [...writers]
    .filter(([, features]) => features.size > 1)
    .map(
      ([table, features]) =>
        `table ${table} is written by ${[...features].join(' and ')}; only its owner may`,
    )
}

function checkEnvironmentReaders(files: SourceFiles): string[] {
  return [...files].flatMap(([path, text]) => {
    const isReader =
      ['server/src/config.ts', 'server/src/bin/supervisor.ts'].includes(path) ||
      /\.(test|cluster)\.ts$/.test(path) ||
      path.includes('/testing/') ||
      path.startsWith('server/src/chaos/')
    if (!path.startsWith('server/src/') || isReader || !text.includes('process.env')) return []
    return [`${path}: only config.ts reads process.env`]
  })
}

/** They are applied in the order of their names: a number that is there twice leaves the order to chance. */
function checkMigrationNumbers(files: SourceFiles): string[] {
  const names = [...files.keys()].filter((path) => path.startsWith('server/migrations/')).toSorted()
  return names.flatMap((path, index) => {
    const number = String(index + 1).padStart(4, '0')
    return basename(path).startsWith(`${number}-`) ? [] : [`${path}: the next migration is number ${number}`]
  })
}

/** What takes away or narrows something that a process of the version before still reads or writes. */
const unsafeForOldCode: [RegExp, string][] = [
  [/\bdrop\s+(table|column|function|view|sequence)\b/i, 'drops what old processes still use'],
  [/\brename\s+(column|to|constraint)\b/i, 'renames what old processes still use'],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/i, 'changes a type that old processes write'],
  [/\bset\s+not\s+null\b/i, 'refuses rows that old processes write'],
  [
    /\badd\s+column\b(?=[^,;]*\bnot\s+null\b)(?![^,;]*\b(default|generated)\b)/i,
    'refuses rows that old processes write',
  ],
]

/**
 * While processes are restarted one by one, old ones run on the migrated database. Taking away is a step of its own,
 * in a later version, and says so: `-- unused since 0012-....sql`.
 */
function checkMigrationSafety(files: SourceFiles): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith('server/migrations/')) return []
    // a comment holds for the statement after it
    const statements = text.split(';').filter((statement) => !/^\s*-- unused since \d{4}-/m.test(statement))
    return statements.flatMap((statement) => {
      const sql = statement.replaceAll(/--.*$/gm, '')
      return unsafeForOldCode
        .filter(([pattern]) => pattern.test(sql))
        .map(([, reason]) => `${path}: ${reason}; do it when no process of an older version runs any more`)
    })
  })
}

function serverFeatureFiles(files: SourceFiles) {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith(featureRoot)) return []
    const [feature = '', ...inFeature] = path.slice(featureRoot.length).split('/')
    return [{ path, text, feature, inFeature }]
  })
}

function featureImports(files: SourceFiles) {
  const featureOf = (path: string) => path.slice(featureRoot.length).split('/')[0] ?? ''
  return relativeImports(files)
    .filter(({ path, target }) => path.startsWith(featureRoot) && target.startsWith(featureRoot))
    .map(({ path, target }) => ({ path, target, from: featureOf(path), to: featureOf(target) }))
}

function relativeImports(files: SourceFiles) {
  return [...files].flatMap(([path, text]) =>
    importsOf(text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ path, target: normalize(join(dirname(path), specifier)) })),
  )
}

function importsOf(text: string): string[] {
  const statements = text.matchAll(/\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g)
  return [...statements].map(([, from, bare]) => from ?? bare ?? '')
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const patterns = ['contract/src', 'server/src', 'web/src', 'e2e', 'bench', 'scripts'].map(
    (dir) => `${dir}/**/*.{ts,tsx,mjs}`,
  )
  const paths = globSync([...patterns, 'server/migrations/*.sql'], { cwd: root })
  const breaches = checkStructure(
    new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
  )
  for (const breach of breaches) console.error(breach)
  if (breaches.length > 0) process.exitCode = 1
  else console.log(`structure: ${paths.length} files in order`)
}
