import { type Kysely, type RawBuilder, sql } from 'kysely'

/** Reading every row of a larger table takes seconds. */
const largeTable = 500_000

/** Pages of a table that a sample reads. */
const sampledPages = 2000

/** The planner's numbers of a table. */
export interface LargeTable {
  rows: number
  /** Percentage of its pages that a sample reads. */
  percent: number
}

/** The tables with at least `from` rows, as `analyze` last estimated them. */
export async function findLargeTables<Database>(
  db: Kysely<Database>,
  tables: readonly string[],
  from = largeTable,
): Promise<Map<string, LargeTable>> {
  const { rows } = await sql<{ name: string } & LargeTable>`
    select relname as name, reltuples::bigint as rows,
      least(100, 100.0 * ${sampledPages}::int / greatest(relpages, 1))::float8 as percent
    from pg_class where oid = any(${tables}::regclass[]) and reltuples >= ${from}::float8`.execute(db)
  return new Map(rows.map(({ name, ...numbers }) => [name, numbers]))
}

/**
 * The rows of a table as a source of sums, each with a `weight`. A large table is sampled, always in the same way: all rows
 * for which `isRead` holds have the weight 1, and those of the sample stand for the others.
 */
export function weightedRows(
  table: string,
  large: LargeTable | undefined,
  isRead: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const name = sql.table(table)
  if (!large) return sql`(select 1 as weight, * from ${name})`
  return sql`(
    select 1::float8 as weight, * from ${name} where ${isRead}
    union all
    select 100 / ${large.percent}::float8, * from ${name} tablesample system (${large.percent}::real) repeatable (1)
    where not (${isRead})
  )`
}

/** An estimate without the digits that it does not know. */
export const roundEstimate = (value: number) => Number(value.toPrecision(3))
