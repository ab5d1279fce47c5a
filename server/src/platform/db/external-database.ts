import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { codeOf } from '../errors.ts'
import { StartupError } from '../startup-error.ts'

const oldestVersion = 15

/**
 * Makes sure that the database of DATABASE_URL answers, is new enough and keeps sessions apart: messages between
 * processes and prepared statements live in them. One that is just starting gets `patienceMs`.
 * Throws StartupError when it cannot be used.
 */
export async function checkDatabase(url: string, connectTimeoutMs: number): Promise<void> {
  const version = await askVersion(url, Date.now() + connectTimeoutMs)
  if (version < oldestVersion)
    throw new StartupError(
      `The database of DATABASE_URL is PostgreSQL ${version}: Kinora needs version ${oldestVersion} or later.`,
    )
  if (await sharesSessions(url))
    throw new StartupError(
      'DATABASE_URL leads to a pooler that gives sessions to several clients: set it to session mode, or name the database itself.',
    )
}

/** Whether two that are connected at once are answered by one session, as poolers in transaction mode have it. */
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

async function askVersion(url: string, deadline: number): Promise<number> {
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
      if (isPassing(cause) && Date.now() < deadline) {
        await delay(200)
        continue
      }
      const { host, pathname } = new URL(url)
      const advice = 'start it, or correct DATABASE_URL'
      throw new StartupError(
        `The database ${pathname.slice(1)} at ${host} cannot be reached (${reason(cause)}): ${advice}.`,
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

/** Nobody listens yet, or "the database system is starting up". A wrong password stays wrong. */
function isPassing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03'
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message || codeOf(error) || 'no answer'
}
