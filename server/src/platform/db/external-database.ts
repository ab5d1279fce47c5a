import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { codeOf } from '../errors.ts'
import { StartupError } from '../startup-error.ts'

const oldestVersion = 15

/**
 * Checks that the database of DATABASE_URL is reachable, has a supported version and gives each client its own session,
 * which LISTEN and prepared statements need. Waits up to `connectTimeoutMs` for a server that is starting.
 * Throws StartupError if it cannot be used.
 */
export async function checkDatabase(url: string, connectTimeoutMs: number): Promise<void> {
  const version = await readVersion(url, Date.now() + connectTimeoutMs)
  if (version < oldestVersion)
    throw new StartupError(
      `The database of DATABASE_URL is PostgreSQL ${version}. Kinora needs version ${oldestVersion} or later.`,
    )
  if (await sharesSessions(url))
    throw new StartupError(
      'DATABASE_URL leads to a pooler in transaction mode. Set the pooler to session mode, or connect to the database directly.',
    )
}

/** Whether two concurrent clients get the same session, as with poolers in transaction mode. */
async function sharesSessions(url: string): Promise<boolean> {
  const clients = [0, 1].map(() => new Client({ connectionString: url, connectionTimeoutMillis: 5000 }))
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

async function readVersion(url: string, deadline: number): Promise<number> {
  for (;;) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ number: string }>(
        "select current_setting('server_version_num') as number",
      )
      return Math.floor(Number(rows[0]?.number) / 10_000)
    } catch (cause) {
      if (isTransient(cause) && Date.now() < deadline) {
        await delay(200)
        continue
      }
      const { host, pathname } = new URL(url)
      throw new StartupError(
        `The database ${pathname.slice(1)} at ${host} cannot be reached (${reason(cause)}). Start it, or correct DATABASE_URL.`,
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
