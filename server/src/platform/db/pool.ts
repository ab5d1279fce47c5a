import { createHash } from 'node:crypto'
import { CamelCasePlugin, Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import { Client, Pool, type PoolConfig, types } from 'pg'
import { isTracing, noteSpan } from '../tracing/tracing.ts'

// bigint columns here are counts and sizes, all far below 2^53
types.setTypeParser(types.builtins.INT8, Number)

/** Gives every parameterised statement a name, so that PostgreSQL plans it once per connection. */
class PreparingClient extends Client {
  // pg declares a dozen overloads of query; this one passes everything through but the (text, values) form.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(text: any, values?: any, callback?: any): any {
    if (typeof text === 'string' && Array.isArray(values)) {
      return super.query({ text, values, name: nameOf(text) }, callback)
    }
    return super.query(text, values, callback)
  }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}

/** The address of a database under which its server shows who is connected. */
export function namedUrl(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.searchParams.set('application_name', name)
  return url.href
}

/**
 * Every statement here is short: starting helpers for one, or compiling it, takes longer than the statement, and PostgreSQL
 * decides for both by estimates.
 */
const shortStatements = 'set max_parallel_workers_per_gather = 0; set jit = off'

interface PoolOptions extends PoolConfig {
  /** Statements that run longer are cancelled by the server; see `allowLongStatements`. */
  statementMs?: number
}

/** A pool of at most `max` connections; connecting gives up after 10 s. */
export function createPool(
  connectionString: string,
  max: number,
  { statementMs = 0, ...options }: PoolOptions = {},
): Pool {
  const pool = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 10_000,
    Client: PreparingClient,
    // called for each new connection, before anybody gets it
    verify: (client, done) =>
      client.query(`${shortStatements}; set statement_timeout = ${statementMs}`, (error) => done(error)),
    ...options,
  })
  // The pool listens to idle connections only: one that is lost while it is lent out would end the process. Whoever
  // has borrowed it learns of the loss from the next statement.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** SQLSTATE query_canceled. */
const cancelled = '57014'

/** Whether PostgreSQL ended a statement because it ran too long. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === cancelled
}

/** Gives the statements of a transaction a minute: deleting or renaming what many rows refer to takes long. */
export async function allowLongStatements<Database>(transaction: Kysely<Database>): Promise<void> {
  await sql`set local statement_timeout = '60s'`.execute(transaction)
}

const tracedCharacters = 2000

/** A span for each statement; values are not told. */
function traceStatement(event: LogEvent): void {
  const text = event.query.sql.slice(0, tracedCharacters)
  const name = /\w+/.exec(text)?.[0] ?? 'statement'
  const error = event.level === 'error' ? event.error : undefined
  noteSpan(
    `sql ${name}`,
    { 'db.system.name': 'postgresql', 'db.query.text': text },
    event.queryDurationMillis,
    error,
  )
}

/** Kysely over a pool; snake_case columns become camelCase here and nowhere else. */
export function createDb<Database>(pool: Pool): Kysely<Database> {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    ...(isTracing() ? { log: traceStatement } : {}),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** Connects for as long as `work` runs. */
export async function withDb<Database, T>(
  url: string,
  work: (db: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const db = createDb<Database>(createPool(url, 1))
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
