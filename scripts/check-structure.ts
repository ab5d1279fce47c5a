import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { checkDomains, domains, isDomainWithNouns } from './domains.ts'
import { describeLevel, findCycles, folderImports, isTest, type SourceFiles } from './folders.ts'

/**
 * Rules of the repository that no maintained tool checks: names of files, domains and nouns, parts of a server feature, cycles between
 * folders, table owners, normalization, migrations, colours, breakpoints, logical properties, CSS class names, first words of
 * docstrings, errors without use. `.dependency-cruiser.mjs` states which files may import which.
 */

const vocabulary = ['routes', 'queries', 'rules', 'actions', 'jobs', 'limits', 'topics']
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

/** Returns a message for each violation. */
export function checkStructure(files: SourceFiles): string[] {
  return [
    ...checkNames(files),
    ...checkStyleNames(files),
    ...checkDomains(files),
    ...checkVocabulary(files),
    ...checkFolderCycles(files),
    ...checkEffectBodies(files),
    ...checkColours(files),
    ...checkLogicalProperties(files),
    ...checkMediaQueries(files),
    ...checkComposedStyles(files),
    ...checkClassNames(files),
    ...checkSqlPlaces(files),
    ...checkTableOwners(files),
    ...checkEnvironmentReaders(files),
    ...checkNormalization(files),
    ...checkMigrationNumbers(files),
    ...checkMigrationSafety(files),
    ...checkDocstrings(files),
    ...checkErrorsAreUsed(files),
  ]
}

function checkNames(files: SourceFiles): string[] {
  return [...files.keys()].flatMap((path) => {
    const [stem = ''] = basename(path).split('.')
    if (banned.includes(stem)) return [`${path}: "${stem}" is too general; name the file after what it holds`]
    if (!kebabCase.test(stem)) return [`${path}: file names are kebab-case`]
    return []
  })
}

/** The names of classes are made of the names of their files, which two files must not share. */
function checkStyleNames(files: SourceFiles): string[] {
  const sheets = [...files.keys()].filter((path) => path.endsWith('.module.css'))
  const byName = Map.groupBy(sheets, (path) => basename(path))
  return [...byName.values()].flatMap((paths) =>
    paths.length > 1 ? [`${paths.join(' and ')} have the same name, and so the same classes`] : [],
  )
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

/**
 * At every level: where `a/b/` imports from `a/c/`, `a/c/` must not import from `a/b/`, neither directly nor through other
 * folders of `a/`. dependency-cruiser compares only the innermost folders.
 */
function checkFolderCycles(files: SourceFiles): string[] {
  return [...folderImports(files)].flatMap(([parent, edges]) =>
    findCycles(edges).map((cycle) => `${parent}: ${cycle.join(' -> ')}: folders must not form a cycle`),
  )
}

/**
 * React keeps what an effect or a ref returns and calls it as its clean-up. Newer browsers may return a value where the types
 * of the DOM say void, as `scrollIntoView` did.
 */
function checkEffectBodies(files: SourceFiles): string[] {
  const opening = /\b(?:use(?:Layout|Insertion)?Effect\(|ref=\{)\s*\(?\w*\)?\s*=>\s*(?!\s|\{|\(\)\s*=>)/
  return [...files].flatMap(([path, text]) =>
    path.startsWith('web/src/') && opening.test(text)
      ? [`${path}: put the call of an effect or a ref in braces; it may return only a clean-up`]
      : [],
  )
}

/** Both themes and the contrast of every pair of colours are decided in one place. */
function checkColours(files: SourceFiles): string[] {
  const colour =
    /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch)|color)\(|:[^;{}]*\b(?:black|white|gr[ae]y|red|green|blue)\b/i
  return [...files].flatMap(([path, text]) => {
    if (!path.endsWith('.css') || path === 'web/src/styles/tokens.css') return []
    const found = colour.exec(text.replaceAll(/\/\*.*?\*\//gs, ''))
    return found ? [`${path}: "${found[0].trim()}": use a colour of styles/tokens.css`] : []
  })
}

/**
 * Pages are mirrored for languages that are written from right to left, so style sheets name the start and the end of a
 * line. `left: 50%` centres, and `--dnd-left` is measured.
 */
function checkLogicalProperties(files: SourceFiles): string[] {
  const physical =
    /(?<![\w-])(?:(?:(?:scroll-)?(?:margin|padding)-|border-|border-(?:top|bottom)-)?(?:left|right)\b[\w-]*:(?! 50%)|(?:text-align|float|clear): (?:left|right)\b)[^;]*/
  return [...files].flatMap(([path, text]) => {
    if (!path.endsWith('.css')) return []
    const rules = text.replaceAll(/\/\*.*?\*\//gs, '')
    const found = physical.exec(rules)?.[0] ?? findUnevenShorthand(rules)
    return found ? [`${path}: "${found}": name the side by inline-start or inline-end`] : []
  })
}

/** A shorthand whose left and right differ. */
function findUnevenShorthand(rules: string): string | undefined {
  const value = String.raw`((?:[^\s;(]|\([^()]*(?:\([^()]*\)[^()]*)*\))+)`
  const sides = new RegExp(
    `(?<![\\w-])(?:margin|padding|inset): ${[value, value, value, value].join(' ')}`,
    'g',
  )
  return [...rules.matchAll(sides)].find(
    ([all, , right, , left]) => right !== left && !all.includes('--dnd-left'),
  )?.[0]
}

/** Widths have names, so that layouts change at few of them. */
function checkMediaQueries(files: SourceFiles): string[] {
  return [...files].flatMap(([path, text]) => {
    const found = path.endsWith('.css') && /@media [^{]*\bwidth[^{]*(?= \{)/.exec(text)
    return found ? [`${path}: "${found[0]}": use a name of styles/media.css`] : []
  })
}

/** The build copies the rules of a composed class without resolving the names of breakpoints. */
function checkComposedStyles(files: SourceFiles): string[] {
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(/\bcomposes:.* from '(.+)'/g)].flatMap(([, from = '']) => {
      const target = normalize(join(dirname(path), from))
      return /@media [^{]*\(--/.test(files.get(target) ?? '')
        ? [`${target}: composed by ${path}: no named breakpoints here`]
        : []
    }),
  )
}

/** The types of CSS modules accept any name. */
function checkClassNames(files: SourceFiles): string[] {
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(/^import (\w+) from '(.+\.module\.css)'/gm)].flatMap(([, styles = '', from = '']) => {
      const sheet = files.get(normalize(join(dirname(path), from))) ?? ''
      return [...text.matchAll(new RegExp(`\\b${styles}\\['([\\w-]+)'\\]`, 'g'))].flatMap(([, name = '']) =>
        new RegExp(`\\.${name}(?![\\w-])`).test(sheet) ? [] : [`${path}: ${from} has no class "${name}"`],
      )
    }),
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
  const plain =
    /\b(?:insert\s+into|update(?!\s+(?:set|skip|of)\b)|delete\s+from|merge\s+into)\s+(\w+)(?=[\s(])/g
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
      ['server/src/context/config.ts', 'server/src/bin/supervisor.ts'].includes(path) ||
      /\.(test|cluster)\.ts$/.test(path) ||
      path.includes('/testing/')
    const isProgram = /^(media|platform|server)\/src\//.test(path)
    if (!isProgram || isReader || !text.includes('process.env')) return []
    return [`${path}: only config.ts reads process.env`]
  })
}

/** `String.normalize` takes quadratic time for runs of combining marks. */
function checkNormalization(files: SourceFiles): string[] {
  return [...files].flatMap(([path, text]) => {
    const isExempt = isTest(path) || path === 'contract/src/characters.ts'
    if (isExempt || !/\.normalize\(('NF|\))/.test(text)) return []
    return [`${path}: normalizes Unicode; use normalizeText of contract/src/characters.ts`]
  })
}

/** Migration 1 is the baseline; the numbers between it and this one are no longer in use. */
const firstAfterBaseline = 88

/** Migration numbers must be unique, because they define the order. */
function checkMigrationNumbers(files: SourceFiles): string[] {
  const names = [...files.keys()].filter((path) => path.startsWith('server/migrations/')).toSorted()
  return names.flatMap((path, index) => {
    const number = String(index === 0 ? 1 : firstAfterBaseline - 1 + index).padStart(4, '0')
    return basename(path).startsWith(`${number}-`) ? [] : [`${path}: the next migration is number ${number}`]
  })
}

/** Statements that remove or narrow something that processes of the previous version still use. */
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
 * During a rolling upgrade, old processes use the migrated database. Removals are a separate step in a later version,
 * marked by a comment: `-- unused since 0012-....sql`. Statements do not name triggers, nor the functions that are
 * marked `-- called by triggers only`.
 */
function checkMigrationSafety(files: SourceFiles): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith('server/migrations/')) return []
    // a comment applies to the next statement
    const isSafe = /^\s*(-- (unused since \d{4}-|called by triggers only$)|alter trigger\b)/m
    const statements = text.split(';').filter((statement) => !isSafe.test(statement))
    return statements.flatMap((statement) => {
      const sql = statement.replaceAll(/--.*$/gm, '')
      return unsafeForOldCode
        .filter(([pattern]) => pattern.test(sql))
        .map(([, reason]) => `${path}: ${reason}; do it when no process of an older version runs any more`)
    })
  })
}

/** The subject comes first: see docs/style.md. */
function checkDocstrings(files: SourceFiles): string[] {
  const clause = /\/\*\*[\s*]*((?:What|Who(?:m|se|ever)?|So many)\b.*)/g
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(clause)].map(([, first]) => `${path}: "${first}": begin the docstring with a noun`),
  )
}

/** An error that nothing throws is documented and translated for nobody. */
function checkErrorsAreUsed(files: SourceFiles): string[] {
  const isDefinition = (path: string) => /^contract\/src\/(\w+\/)?errors\.ts$/.test(path)
  const sources = [...files].flatMap(([path, text]) => (isDefinition(path) || isTest(path) ? [] : text))
  const used = new Set(
    sources.flatMap((text) => [...text.matchAll(/\b\w*[eE]rrors\.\w+/g)].map(([name]) => name)),
  )
  return [...files].flatMap(([path, text]) => {
    if (!isDefinition(path)) return []
    const [, group = ''] = /export const (\w+) = \{/.exec(text) ?? []
    return [...text.matchAll(/^ {2}(\w+): (?:failure|technical)\(/gm)].flatMap(([, name]) =>
      used.has(`${group}.${name}`) ? [] : [`${path}: nothing uses ${group}.${name}`],
    )
  })
}

function serverFeatureFiles(files: SourceFiles) {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith(featureRoot)) return []
    const parts = path.slice(featureRoot.length).split('/')
    const depth = isDomainWithNouns(parts[0]) ? 2 : 1
    const [feature, inFeature] = [parts.slice(0, depth).join('/'), parts.slice(depth)]
    return [{ path, text, feature, inFeature }]
  })
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const patterns = [
    '{contract,importers,live,media,platform,server,web}/src',
    'e2e',
    'bench',
    'chaos',
    'scripts',
  ].map((dir) => `${dir}/**/*.{ts,tsx,mjs}`)
  const paths = globSync([...patterns, 'web/src/**/*.css', 'server/migrations/*.sql'], { cwd: root })
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const breaches = checkStructure(files)
  for (const breach of breaches) console.error(breach)
  if (breaches.length > 0) process.exitCode = 1
  else console.log(`structure: ${paths.length} files, no violations`)
  const features = 'server/src/features'
  for (const level of [
    features,
    ...domains.filter(isDomainWithNouns).map((domain) => `${features}/${domain}`),
  ])
    console.log(describeLevel(files, level))
}
