import type { Client } from 'pg'
import { DatabaseClient } from './database-client.ts'

/** Text output independent of the server's settings, which has no timeouts then. */
const session = `
  set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`

/**
 * Runs `work` with a separate connection, configured for CLI commands, dumps and restores. Statements may take as long as they
 * need, or `statementMs`.
 */
export async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  statementMs?: number,
): Promise<T> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'kinora cli',
    ...(statementMs !== undefined && { query_timeout: statementMs }),
  })
  // a lost connection rejects the running statement; without a listener it would also end the process
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(session)
    return await work(client)
  } finally {
    await client.end()
  }
}
