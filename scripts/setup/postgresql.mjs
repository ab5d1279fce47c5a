import { existsSync, readdirSync } from 'node:fs'
import { installPackages } from './packages.mjs'
import { onPath } from './steps.mjs'

const debian = '/usr/lib/postgresql'

/**
 * A PostgreSQL of the distribution's, against which the tests try DATABASE_URL. Where it cannot be had they say so and
 * go without: everything else runs on the embedded one.
 */
export async function tryForPostgresql() {
  const isThere = existsSync(debian) && readdirSync(debian).length > 0
  if (isThere || onPath('apt-get').length === 0) return
  await installPackages("the distribution's PostgreSQL", ['postgresql']).catch((error) =>
    console.warn(error.message),
  )
}
