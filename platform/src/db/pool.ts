import { createHash } from 'node:crypto'
import { CamelCasePlugin, Kysely, type LogEvent, PostgresDialect, sql, type Transaction } from 'kysely'
import { Pool, type PoolConfig, type QueryConfig, types } from 'pg'
import { codeOf } from '../errors.ts'
import { connectionOptions } from './database-client.ts'
import { isTracing, noteSpan } from '../tracing/tracing.ts'
import { sqlstate } from './errors/sqlstate.ts'
import { GuardedClient } from './guarded-client.ts'

// bigint columns here are counts and sizes, all far below 2^53
types.setTypeParser(types.builtins.INT8, Number)

/** Gives every parameterised statement a name, so that PostgreSQL plans it once per connection. */
class PreparingClient extends GuardedClient {
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

/** Adds `application_name` to a connection string, which `pg_stat_activity` shows. */
export function namedUrl(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.searchParams.set('application_name', name)
  return url.href
}

/** Statements are short: parallel workers and JIT compilation cost more than they save, and estimates misjudge that. */
const shortStatements = 'set max_parallel_workers_per_gather = 0; set jit = off'

interface PoolOptions extends PoolConfig {
  /**
   * Through a pooler in transaction mode: nothing is left in a session, neither prepared statements nor settings. The
   * settings of its connections, also the timeout of statements, are those of the pooler.
   */
  isPooled?: boolean
  /** Statements that run longer are cancelled by the server; see `allowLongStatements`. */
  statementMs?: number
}

/** A pool of at most `max` connections; connecting gives up after 10 s, and at once while the server is known to be away. */
export function createPool(
  connectionString: string,
  max: number,
  { statementMs = 0, isPooled = false, ...options }: PoolOptions = {},
): Pool {
  const pool = new Pool({
    connectionString,
    max,
    ...connectionOptions,
    Client: GuardedClient,
    ...(isPooled ? {} : sessionState(statementMs)),
    ...options,
  })
  // pg-pool handles errors of idle connections only. Without a listener, losing a connection in use would end the
  // process; its next statement rejects anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Prepared statements and settings of connections without a pooler. */
function sessionState(statementMs: number): PoolConfig {
  return {
    Client: PreparingClient,
    // called for each new connection before it is used
    verify: (client, done) =>
      client.query(`${shortStatements}; set statement_timeout = ${statementMs}`, (error) => done(error)),
  }
}

const probeMs = 3000

/** Throws unless the database responds. A connection that went silent is closed, so that the next probe takes another one. */
export async function probeDatabase(pool: Pool, timeoutMs = probeMs): Promise<void> {
  await pool.query(withTimeout('select 1', timeoutMs))
}

/** A statement with a timeout of its own, which the types of pg lack. */
const withTimeout = (text: string, timeoutMs: number): QueryConfig & { query_timeout: number } => ({
  text,
  query_timeout: timeoutMs,
})

/** Whether PostgreSQL cancelled a statement after `statement_timeout`. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === sqlstate.queryCanceled
}

/** Raises the timeout of a transaction's statements to a minute, for those that read or change many rows. */
export async function allowLongStatements<Database>(transaction: Kysely<Database>): Promise<void> {
  await sql`set local statement_timeout = '60s'`.execute(transaction)
}

/** Runs `work` in a transaction whose statements may take a minute each. */
export function withLongStatements<Database, Result>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    await allowLongStatements(transaction)
    return work(transaction)
  })
}

const tracedCharacters = 2000

/** Records a span for a statement, without its values. */
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

/** Runs `work` with a connection that is closed afterwards. */
export async function withDb<Database, T>(
  url: string,
  work: (db: Kysely<Database>) => Promise<T>,
  options: PoolOptions = {},
): Promise<T> {
  const db = createDb<Database>(createPool(url, 1, options))
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
