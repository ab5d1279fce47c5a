import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Config } from '../../../../context/config.ts'
import { compareMigrations, listApplied } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../../../../context/migrations.ts'
import { checkDatabase } from '@kinora/platform/db/external-database.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { failedQueue } from '@kinora/platform/jobs/jobs.ts'
import { findDatabaseProblems, listInaccessibleTables } from '@kinora/platform/db/find-database-problems.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import type { Report } from './finding.ts'

const clockToleranceMs = 5000
/** A due job that waits for longer means that no worker runs. */
const stuckAfterSeconds = 120
/** A longer delay means that the workers are overloaded. */
const behindAfterSeconds = 1800
/** Statements count whole tables, and wait for locks. */
const usualStatementMs = 30_000
/** A replica with more lag is reported. */
const lagSeconds = 1

/** Checks the database, its replica and the job queue. */
export async function checkPostgresql(
  config: Config,
  url: string,
  report: Report,
  statementMs = usualStatementMs,
): Promise<void> {
  try {
    if (config.databaseUrl) await checkDatabase({ ...config, databaseUrl: url }, 0)
  } catch (error) {
    report('database.fails', 'bad', error instanceof Error ? error.message : String(error))
    return
  }
  if (config.databasePoolerUrl)
    report('pooler.works', 'good', 'The pooler of DATABASE_URL leads to the database')
  await withClient(
    url,
    async (client) => {
      const askedAt = Date.now()
      const { rows } = await client.query<{
        version: string
        now: Date
        hasUnaccent: boolean
        isTls: boolean
        isSuperuser: boolean
        left: number
      }>(`
      select current_setting('server_version') as version, clock_timestamp() as now,
        exists (select from pg_available_extensions where name = 'unaccent') as "hasUnaccent",
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isTls",
        (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
        current_setting('max_connections')::int - (select count(*) from pg_stat_activity)::int as left`)
      const [found] = rows
      if (!found) return
      report(
        'database.works',
        'good',
        `PostgreSQL ${found.version} responds${found.isTls ? ', with TLS' : ''}`,
      )
      if (config.databaseUrl && found.isSuperuser)
        report(
          'database.superuser',
          'note',
          'The role of DATABASE_URL is a superuser. Use one with fewer rights (docs/operations/install.md).',
        )
      if (!found.hasUnaccent)
        report(
          'database.extension',
          'bad',
          'PostgreSQL lacks the extension unaccent. Install postgresql-contrib.',
        )
      if (found.left < 20)
        report(
          'database.connections',
          'bad',
          `PostgreSQL has only ${found.left} connections left. Raise max_connections.`,
        )
      const skewMs = Math.abs(found.now.getTime() - (askedAt + Date.now()) / 2)
      if (skewMs > clockToleranceMs)
        report(
          'clock.differs',
          'bad',
          `The clocks of this machine and of the database differ by ${Math.round(skewMs / 1000)} s. Synchronize them by NTP.`,
        )
      else report('clock.agrees', 'good', 'The clocks of this machine and of the database agree')
      const applied = await listApplied(client)
      const { missing, unknown } = await compareMigrations(applied, migrationsDirectory)
      if (unknown.length > 0)
        report(
          'migrations.newer',
          'bad',
          `The database was migrated by a newer Kinora (${unknown.join(', ')}). This version does not start with it.`,
        )
      if (missing.length > 0) {
        report('migrations.waiting', 'note', `The next start applies ${missing.join(', ')}`)
        for (const problem of await findDatabaseProblems(client)) report('database.unfit', 'bad', problem)
      } else report('migrations.done', 'good', 'The database is up to date')
      const inaccessible = await listInaccessibleTables(client)
      if (inaccessible.length > 0)
        report(
          'database.rights',
          'bad',
          `The role of DATABASE_URL may not read and write ${inaccessible.join(', ')}. Grant it the rights.`,
        )
      await checkPages(client, report)
      await checkQueue(client, report)
    },
    statementMs,
  ).catch((error: unknown) =>
    report(
      'database.fails',
      'bad',
      error instanceof StartupError
        ? error.message
        : `The database fails: ${error instanceof Error ? error.message : String(error)}`,
    ),
  )
  if (config.databaseReplicaUrl) await checkReplica(config.databaseReplicaUrl, report, statementMs)
}

/** Checks for database pages that failed their checksum. */
async function checkPages(client: Client, report: Report): Promise<void> {
  const { rows } = await client.query<{ failures: number | null; lastAt: Date | null }>(`
    select checksum_failures::int as failures, checksum_last_failure as "lastAt"
    from pg_stat_database where datname = current_database()`)
  const { failures = null, lastAt = null } = rows[0] ?? {}
  if (failures === null)
    report(
      'pages.unchecked',
      'note',
      'The database has no page checksums: damage on its disk goes unnoticed (`pg_checksums`).',
    )
  else if (failures > 0)
    report(
      'pages.damaged',
      'bad',
      `PostgreSQL read ${failures} damaged pages, the last at ${lastAt?.toISOString()}. Replace the disk, and restore a backup.`,
    )
  else report('pages.intact', 'good', 'No damaged database page was found')
}

async function checkReplica(url: string, report: Report, statementMs: number): Promise<void> {
  try {
    await withClient(
      url,
      async (client) => {
        const { rows } = await client.query<{ isReplica: boolean; lag: number | null }>(`
        select pg_is_in_recovery() as "isReplica",
          case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
            else extract(epoch from now() - pg_last_xact_replay_timestamp())::int end as lag`)
        const [found] = rows
        if (!found?.isReplica)
          report('replica.wrong', 'bad', 'DATABASE_REPLICA_URL is not a replica. Correct or remove it.')
        else if (found.lag === null || found.lag > lagSeconds)
          report(
            'replica.behind',
            'note',
            `The replica is ${found.lag ?? 'some'} s behind. Reads use the primary until it has caught up.`,
          )
        else report('replica.works', 'good', 'The replica responds and is caught up')
      },
      statementMs,
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    report('replica.fails', 'bad', `The replica cannot be reached (${reason}). All reads use the primary.`)
  }
}

async function checkQueue(client: Client, report: Report): Promise<void> {
  const isDue = `name <> '${failedQueue}' and state < 'active' and start_after <= now()`
  const read = async () => {
    const { rows: there } = await client.query("select 1 where to_regclass('pgboss.job') is not null")
    if (there.length === 0) return undefined
    const { rows } = await client.query<{ waiting: number; running: number; age: number; failed: number }>(`
      select count(*) filter (where ${isDue})::int as waiting,
        count(*) filter (where state = 'active')::int as running,
        count(*) filter (where name = '${failedQueue}' and created_on > now() - interval '1 day')::int as failed,
        coalesce(extract(epoch from now() - min(start_after) filter (where ${isDue})), 0)::int as age
      from pgboss.job`)
    return rows[0]
  }
  const queue = await read()
  if (!queue) return report('queue.absent', 'note', 'There is no job queue yet. The first start creates it.')
  if (queue.waiting > 0 && queue.running === 0 && queue.age > stuckAfterSeconds) {
    // a worker may be between two jobs
    await delay(3000)
    if ((await read())?.running === 0)
      report(
        'queue.stuck',
        'bad',
        `${queue.waiting} jobs wait, the oldest for ${queue.age} s, and none runs. Start a worker.`,
      )
  } else if (queue.age > behindAfterSeconds)
    report(
      'queue.behind',
      'note',
      `The oldest of ${queue.waiting} waiting jobs waits for ${queue.age} s. Start more workers.`,
    )
  else report('queue.works', 'good', `${queue.waiting} jobs wait, ${queue.running} run`)
  if (queue.failed > 0)
    report(
      'queue.failed',
      'note',
      `${queue.failed} jobs failed within a day. \`kinora jobs list --failed\` shows the reasons.`,
    )
}
