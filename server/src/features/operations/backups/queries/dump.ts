import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Client } from 'pg'
import { from, to } from 'pg-copy-streams'
import { withClient } from '@kinora/platform/db/client.ts'

/** A dumped table: one line per row, in an order derived from the rows alone. */
export interface TableDump {
  name: string
  columns: string[]
  rows: number
  /** Of the lines, so that two databases with the same rows have the same hash. */
  sha256: string
}

interface Table {
  name: string
  columns: string[]
  /** SQL order of its rows, the same on every server. */
  order: string
}

/** Runs `work` on a consistent snapshot of the database. */
export function withSnapshot<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  return withClient(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const result = await work(client)
    await client.query('commit')
    return result
  })
}

/** Writes every table to a compressed file in `directory`; with null only counts and hashes them. */
export async function dumpTables(client: Client, directory: string | null): Promise<TableDump[]> {
  const dumps: TableDump[] = []
  for (const { name, columns, order } of await listTables(client)) {
    const rows = `select ${columns.map(quote).join(', ')} from ${quote(name)} t order by ${order}`
    const source = client.query(to(`copy (${rows}) to stdout`))
    const tally = new Tally()
    if (directory === null) await pipeline(source, tally, nowhere())
    else
      await pipeline(
        source,
        tally,
        createGzip(),
        createWriteStream(tableFile(directory, name), { flush: true }),
      )
    dumps.push({ name, columns, ...tally.result() })
  }
  return dumps
}

/** Counts and hashes the file of a dumped table. */
export async function inspectTable(
  directory: string,
  name: string,
): Promise<{ rows: number; sha256: string }> {
  const tally = new Tally()
  await pipeline(createReadStream(tableFile(directory, name)), createGunzip(), tally, nowhere())
  return tally.result()
}

/**
 * Loads dumped tables into an empty database, in one transaction. Constraints and triggers are disabled meanwhile: the
 * rows were consistent, and rows added by triggers were dumped too.
 */
export async function loadTables(
  client: Client,
  directory: string,
  dumps: readonly TableDump[],
): Promise<void> {
  await client.query('begin')
  const { rows: keys } = await client.query<{ owner: string; name: string; definition: string }>(`
    select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`)
  for (const { owner, name } of keys) await client.query(`alter table ${owner} drop constraint ${name}`)
  for (const { name, columns } of dumps) {
    await client.query(`alter table ${quote(name)} disable trigger user`)
    const sink = client.query(from(`copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin`))
    await pipeline(createReadStream(tableFile(directory, name)), createGunzip(), sink)
    await client.query(`alter table ${quote(name)} enable trigger user`)
  }
  for (const { owner, name, definition } of keys) {
    await client.query(`alter table ${owner} add constraint ${name} ${definition}`)
  }
  await advanceSequences(client)
  await client.query('commit')
  await client.query('analyze')
}

/** Sequences continue after the highest restored value. */
async function advanceSequences(client: Client): Promise<void> {
  const { rows } = await client.query<{ owner: string; name: string; sequence: string }>(`
    select c.oid::regclass::text as owner, quote_ident(a.attname) as name,
      pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
      and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`)
  for (const { owner, name, sequence } of rows) {
    await client.query(`select setval($1, coalesce(max(${name}), 0) + 1, false) from ${owner}`, [sequence])
  }
}

/** Every table except the record of migrations, which follows from the migrations applied. */
async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name,
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
      ) as columns,
      coalesce((
        select string_agg(
          't.' || quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end, ', '
          order by key.position
        )
        from pg_index i cross join unnest(i.indkey) with ordinality key (attnum, position)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = key.attnum
        where i.indrelid = c.oid and i.indisprimary
      ), 't::text collate "C"') as "order"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'migrations'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`)
  return rows
}

const tableFile = (directory: string, name: string) => `${directory}/${name}.copy.gz`

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * Counts and hashes the lines that pass through. A line break within a value is escaped as `\n`, so a line is a row.
 */
class Tally extends Transform {
  readonly #hash = createHash('sha256')
  #rows = 0

  constructor() {
    super({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#hash.update(chunk)
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.#rows += 1
        done(null, chunk)
      },
    })
  }

  result(): { rows: number; sha256: string } {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}
