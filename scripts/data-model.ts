import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../server/src/context/migrations.ts'
import { withDb } from '@kinora/platform/db/pool.ts'
import { describeSchema } from '../server/src/testing/fixtures/describe-schema.ts'

/**
 * Writes `server/schema.sql` from a database with all migrations, and from it the tables of `server/src/context/database.ts` and
 * the list of `docs/data-model.md`. With `--check` only reports whether these two follow from `schema.sql`, which a test
 * compares with the migrations.
 */
const root = join(import.meta.dirname, '..')
const schemaFile = join(root, 'server/schema.sql')
const typesFile = join(root, 'server/src/context/database.ts')
const pageFile = join(root, 'docs/data-model.md')

interface Column {
  name: string
  type: string
  isNullable: boolean
  isGenerated: boolean
  comment: string | undefined
  /** The only values that a check allows. */
  values: string[]
  /** Table that it refers to. */
  target: string | undefined
}

interface Table {
  name: string
  comment: string | undefined
  columns: Column[]
}

/** TypeScript type of each column type, as the driver returns it. */
const typeNames: Record<string, string> = {
  text: 'string',
  'text[]': 'string[]',
  bytea: 'Buffer',
  integer: 'number',
  'integer[]': 'number[]',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  jsonb: 'unknown',
  tsvector: 'string',
  date: 'Date',
  'timestamp(3) with time zone': 'Date',
  'timestamp with time zone': 'Date',
}

async function describeMigrations(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinora-schema-'))
  const log = { info: () => undefined, warn: () => undefined }
  const server = await startEmbedded({ dataDir, log })
  try {
    await migrate(server.url, migrationsDirectory)
    return await withDb(server.url, describeSchema)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

function parseTables(schema: string): Table[] {
  const comments = new Map(
    Array.from(schema.matchAll(/^comment on \w+ ([\w.]+) is '(.*)';$/gm), ([, subject = '', text = '']) => [
      subject,
      text.replaceAll("''", "'"),
    ]),
  )
  return Array.from(schema.matchAll(/^create table (\w+) \(\n(.*?)\n\);/gms), ([, name = '', body = '']) => {
    const targets = new Map(
      Array.from(body.matchAll(/FOREIGN KEY \((\w+)\) REFERENCES (\w+)/g), ([, column, target]) => [
        column,
        target,
      ]),
    )
    const checks = new Map(
      Array.from(body.matchAll(/CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)/g), ([, column, list = '']) => [
        column,
        Array.from(list.matchAll(/'\w+'/g), ([value]) => value),
      ]),
    )
    const columns = Array.from(
      body.matchAll(
        /^ {2}(?!constraint )(\w+) (.+?)( collate "C")?( not null)?( default .+| generated .+)?,?$/gm,
      ),
      ([, column = '', type = '', , isRequired, generated]) => ({
        name: column,
        type,
        isNullable: isRequired === undefined,
        isGenerated: generated !== undefined,
        comment: comments.get(`${name}.${column}`),
        values: checks.get(column) ?? [],
        target: targets.get(column),
      }),
    )
    return { name, comment: comments.get(name), columns }
  }).filter(({ name }) => name !== 'migrations')
}

/** The interface `Database` of Kysely. */
function describeTypes(tables: Table[]): string {
  const lines = tables.flatMap(({ name, comment, columns }) => [
    ...docstring(comment),
    `${camelCase(name)}: {`,
    ...columns.flatMap((column) => [
      ...docstring(column.comment),
      `${camelCase(column.name)}: ${describeType(column)}`,
    ]),
    '}',
  ])
  return ['export interface Database {', ...lines, '}', ''].join('\n')
}

function describeType({ type, isNullable, isGenerated, values }: Column): string {
  const base = values.length > 0 ? values.join(' | ') : typeNames[type]
  if (!base) throw new Error(`The column type ${type} has no type in scripts/data-model.ts`)
  // unknown includes null
  const written = isNullable && base !== 'unknown' ? `${base} | null` : base
  return isGenerated ? `Generated<${written}>` : written
}

const docstring = (comment: string | undefined) => (comment ? [`/** ${comment} */`] : [])

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A list of the tables, what they hold and refer to. */
function describePage(tables: Table[]): string {
  return tables
    .map(({ name, comment, columns }) => {
      const references = columns.flatMap(({ name: column, target }) =>
        target ? [`\`${column}\` → \`${target}\``] : [],
      )
      if (!comment) throw new Error(`The table ${name} has no comment: say what it is for`)
      const suffix = references.length > 0 ? ` (${references.join(', ')})` : ''
      return `- **\`${name}\`**: ${comment}${suffix}`
    })
    .join('\n')
}

/** Replaces what follows `start` in a file, in the format of the repository. */
async function replaceEnd(file: string, start: string, end: string): Promise<[string, string]> {
  const text = readFileSync(file, 'utf8')
  const at = text.indexOf(start)
  if (at < 0) throw new Error(`${file} lacks "${start}"`)
  return [file, await format(text.slice(0, at) + end, { ...(await resolveConfig(file)), filepath: file })]
}

const isCheck = process.argv.includes('--check')
if (!isCheck) writeFileSync(schemaFile, await describeMigrations())
const tables = parseTables(readFileSync(schemaFile, 'utf8'))
const generated = [
  await replaceEnd(typesFile, 'export interface Database {', describeTypes(tables)),
  await replaceEnd(pageFile, '- **`', describePage(tables)),
]
for (const [file, wanted] of generated) {
  if (!isCheck) writeFileSync(file, wanted)
  else if (readFileSync(file, 'utf8') !== wanted) {
    console.error(`${file} is out of date. Run \`npm run data-model\`.`)
    process.exitCode = 1
  }
}
