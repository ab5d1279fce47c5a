import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeSchema } from './fixtures/describe-schema.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const source = readFileSync(join(import.meta.dirname, '../database.ts'), 'utf8')

/** TypeScript type of each column type. */
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

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The tables of the interface `Database` as `table.column: type`, with generated and nullable columns marked. */
function declaredColumns(): string[] {
  const text = source
    .slice(source.indexOf('export interface Database {'))
    .replaceAll(/\/\*\*.*?\*\//gs, '')
    // a long union, one member a line
    .replaceAll(/:\n +\| /g, ': ')
    .replaceAll(/\n +\| /g, ' | ')
  return [...text.matchAll(/^ {2}(\w+): \{(.*?)\}$/gms)].flatMap(([, table, body = '']) =>
    body
      .split(/[;\n]/)
      .map((line) => line.trim())
      .filter(Boolean)
      .map((column) => `${table}.${column}`),
  )
}

test('database.ts describes the migrated database', async () => {
  const { rows } = await sql<{
    tableName: string
    name: string
    type: string
    isRequired: boolean
    isGenerated: boolean
    check: string | null
  }>`
    select c.relname as table_name, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as is_required, a.atthasdef or a.attidentity <> '' as is_generated,
      (select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as check
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(site.db)
  const columns = rows.map(({ tableName, name, type, isRequired, isGenerated, check }) => {
    const words = [...(check ?? '').matchAll(/'(\w+)'/g)].map(([quoted]) => quoted)
    const base = words.length > 0 ? words.join(' | ') : (typeNames[type] ?? `unheard of: ${type}`)
    const written = isRequired ? base : `${base} | null`
    return `${camelCase(tableName)}.${camelCase(name)}: ${isGenerated ? `Generated<${written}>` : written}`
  })
  expect(declaredColumns().toSorted()).toEqual(columns.toSorted())
})

/** Reviewed in every change that touches it; updated by running this file with `--update`. */
test('server/schema.sql is the result of the migrations', async () => {
  await expect(await describeSchema(site.db)).toMatchFileSnapshot('../../schema.sql')
})
