import { existsSync, readdirSync } from 'node:fs'
import { installPackages } from './packages.mjs'
import { onPath } from './steps.mjs'

const debian = '/usr/lib/postgresql'

/**
 * A PostgreSQL of the distribution's and a pooler, against which the tests try DATABASE_URL. Where they cannot be had
 * the tests say so and go without: everything else runs on the embedded one.
 */
export async function tryForPostgresql() {
  const missing = []
  if (!existsSync(debian) || readdirSync(debian).length === 0) missing.push('postgresql')
  if (!existsSync('/usr/sbin/pgbouncer')) missing.push('pgbouncer')
  if (missing.length === 0 || onPath('apt-get').length === 0) return
  await installPackages("the distribution's PostgreSQL", missing).catch((error) =>
    console.warn(error.message),
  )
}
