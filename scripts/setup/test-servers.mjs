import { existsSync, readdirSync } from 'node:fs'
import { installPackages } from './packages.mjs'
import { onPath } from './steps.mjs'

const debian = '/usr/lib/postgresql'

/**
 * Servers that tests run against: the distribution's PostgreSQL and PgBouncer (`DATABASE_URL`), nginx, and Prometheus (alert
 * rules and dashboard). Where they cannot be installed, their tests are skipped.
 */
export async function tryForTestServers() {
  const missing = []
  if (!existsSync(debian) || readdirSync(debian).length === 0) missing.push('postgresql')
  if (!existsSync('/usr/sbin/pgbouncer')) missing.push('pgbouncer')
  if (onPath('nginx').length === 0) missing.push('nginx-light')
  if (onPath('prometheus').length === 0) missing.push('prometheus')
  if (missing.length === 0 || onPath('apt-get').length === 0) return
  await installPackages('servers for the tests', missing).catch((error) => console.warn(error.message))
}
