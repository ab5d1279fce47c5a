import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { codeOf } from '../errors.ts'
import { StartupError } from '../startup-error.ts'

const oldestVersion = 15

/** Of connecting, and of each statement: a server may accept connections and respond to nothing. */
const timeouts = { connectionTimeoutMillis: 5000, query_timeout: 5000 }

/** A server, and the pooler in transaction mode before it, if there is one. */
interface Addresses {
  databaseUrl: string
  databasePoolerUrl: string | undefined
}

/**
 * Checks that the database is reachable, has a supported version and gives each client its own session, which LISTEN and
 * prepared statements need, and that the pooler leads to it. Waits up to `connectTimeoutMs` for a server that is
 * starting. Throws StartupError if it cannot be used.
 */
export async function checkDatabase(
  { databaseUrl, databasePoolerUrl }: Addresses,
  connectTimeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + connectTimeoutMs
  const setting = databasePoolerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const { version, identity } = await readServer(databaseUrl, setting, deadline)
  if (version < oldestVersion)
    throw new StartupError(
      `The database of ${setting} is PostgreSQL ${version}. Kinora needs version ${oldestVersion} or later.`,
    )
  if (await sharesSessions(databaseUrl))
    throw new StartupError(
      `${setting} leads to a pooler in transaction mode. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or the pooler to session mode.`,
    )
  if (databasePoolerUrl === undefined) return
  const pooled = await readServer(databasePoolerUrl, 'DATABASE_URL', deadline)
  if (pooled.identity !== identity)
    throw new StartupError(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases. Correct one of them.',
    )
}

/** Whether two concurrent clients get the same session, as with poolers in transaction mode. */
async function sharesSessions(url: string): Promise<boolean> {
  const clients = [0, 1].map(() => new Client({ connectionString: url, ...timeouts }))
  try {
    for (const client of clients) {
      client.on('error', () => {})
      await client.connect()
    }
    const sessions = new Set<number>()
    for (const client of clients) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      sessions.add(rows[0]?.pid ?? 0)
    }
    return sessions.size < clients.length
  } finally {
    // The result is known; a connection that is lost already is closed.
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

/** The major version of a server, and what distinguishes its database from others. */
async function readServer(
  url: string,
  setting: string,
  deadline: number,
): Promise<{ version: number; identity: string }> {
  for (;;) {
    const client = new Client({ connectionString: url, ...timeouts })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ number: string; identity: string }>(`
        select current_setting('server_version_num') as number, system_identifier || ' ' || current_database() as identity
        from pg_control_system()`)
      return { version: Math.floor(Number(rows[0]?.number) / 10_000), identity: rows[0]?.identity ?? '' }
    } catch (cause) {
      if (isTransient(cause) && Date.now() < deadline) {
        await delay(200)
        continue
      }
      const { host, pathname } = new URL(url)
      throw new StartupError(
        `The database ${pathname.slice(1)} at ${host} cannot be reached (${reason(cause)}). Start it, or correct ${setting}.`,
        {
          cause,
        },
      )
    } finally {
      // The connection may be lost or never opened; the failure that matters is thrown above.
      await client.end().catch(() => {})
    }
  }
}

/** The server is not listening yet, or reports 57P03 (cannot_connect_now) while it starts. */
function isTransient(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03'
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message || codeOf(error) || 'no response'
}
