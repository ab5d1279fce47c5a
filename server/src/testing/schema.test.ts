import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  const { rows } = await sql<{ text: string }>`
    with tables as (
      select c.oid, c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    ), parts as (
      select name, 1 as part, '' as key, 'create table ' || name || E' (\n' || (
        select string_agg('  ' || line, E',\n' order by at) from (
          select a.attnum::int as at, a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
            || case when a.attcollation not in (0, 100) then ' collate ' || quote_ident(l.collname) else '' end
            || case when a.attnotnull then ' not null' else '' end
            || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
            || case a.attidentity when 'a' then ' generated always as identity' else '' end as line
          from pg_attribute a
          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          left join pg_collation l on l.oid = a.attcollation
          where a.attrelid = tables.oid and a.attnum > 0 and not a.attisdropped
          union all
          select 1000 + row_number() over (order by k.contype desc, k.conname)::int,
            'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
          from pg_constraint k where k.conrelid = tables.oid and k.contype <> 'n'
        ) lines
      ) || E'\n);' as text from tables
      union all
      select tables.name, 2, i.relname, pg_get_indexdef(i.oid) || ';'
      from tables join pg_index x on x.indrelid = tables.oid join pg_class i on i.oid = x.indexrelid
      where not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u'))
      union all
      select tables.name, 3, g.tgname, pg_get_triggerdef(g.oid, true) || ';'
      from tables join pg_trigger g on g.tgrelid = tables.oid where not g.tgisinternal
      union all
      select '', 0, p.proname, pg_get_functiondef(p.oid) || ';'
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    )
    select text from parts order by name, part, key`.execute(site.db)
  const text = `-- Result of the migrations, written by schema.test.ts from the catalog. Do not edit it by hand.\n\n${rows
    .map((row) => row.text)
    .join('\n\n')}\n`
  await expect(text).toMatchFileSnapshot('../../schema.sql')
})
