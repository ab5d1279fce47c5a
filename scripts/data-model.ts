import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the diagram of `docs/data-model.md` from `server/schema.sql`; with `--check` only reports whether it is current. */
const root = join(import.meta.dirname, '..')
const file = join(root, 'docs/data-model.md')

interface Table {
  name: string
  columns: { name: string; type: string; isNullable: boolean }[]
  primaryKey: string[]
  foreignKeys: { column: string; target: string }[]
}

function parseTables(schema: string): Table[] {
  return Array.from(schema.matchAll(/^create table (\w+) \(\n(.*?)\n\);/gms), ([, name = '', body = '']) => {
    const lines = body.split('\n').map((line) => line.trim())
    const columns = lines
      .filter((line) => !line.startsWith('constraint '))
      .map((line) => {
        const [, column = '', type = ''] = /^(\w+) (\w+)/.exec(line) ?? []
        return { name: column, type, isNullable: !line.includes(' not null') }
      })
    const [, primaryKey = ''] = /PRIMARY KEY \(([^)]+)\)/.exec(body) ?? []
    const foreignKeys = Array.from(
      body.matchAll(/FOREIGN KEY \((\w+)\) REFERENCES (\w+)/g),
      ([, column = '', target = '']) => ({ column, target }),
    )
    return { name, columns, primaryKey: primaryKey.split(', '), foreignKeys }
  })
}

function drawDiagram(tables: Table[]): string {
  const related = tables.filter(
    ({ name, foreignKeys }) =>
      foreignKeys.length > 0 || tables.some((other) => other.foreignKeys.some((key) => key.target === name)),
  )
  const alone = tables.filter((table) => !related.includes(table)).map(({ name }) => `\`${name}\``)
  return [
    '```mermaid',
    'erDiagram',
    ...related.flatMap(({ name, foreignKeys, columns }) =>
      foreignKeys.map(({ column, target }) => {
        const isNullable = columns.some((one) => one.name === column && one.isNullable)
        return `  ${target} ${isNullable ? '|o' : '||'}--o{ ${name} : ${column}`
      }),
    ),
    ...related.flatMap(drawTable),
    '```',
    '',
    `Tables without a reference: ${alone.join(', ')}.`,
  ].join('\n')
}

function drawTable({ name, columns, primaryKey, foreignKeys }: Table): string[] {
  const keys = columns.flatMap((column) => {
    const isPrimary = primaryKey.includes(column.name)
    const isForeign = foreignKeys.some((key) => key.column === column.name)
    const marks = [isPrimary ? 'PK' : '', isForeign ? 'FK' : ''].filter(Boolean).join(', ')
    return marks ? [`    ${column.type} ${column.name} ${marks}`] : []
  })
  return [`  ${name} {`, ...keys, '  }']
}

const page = readFileSync(file, 'utf8')
const start = page.indexOf('```mermaid')
const diagram = drawDiagram(parseTables(readFileSync(join(root, 'server/schema.sql'), 'utf8')))
const wanted = `${page.slice(0, start)}${diagram}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, wanted)
} else if (page !== wanted) {
  console.error('docs/data-model.md is out of date. Run `npm run data-model`.')
  process.exitCode = 1
}
