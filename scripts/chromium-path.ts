import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the path of Chromium that the set-up recorded. Throws if there is none. */
export function chromiumPath(): string {
  const file = join(import.meta.dirname, '../.tooling/browser-path')
  const path = process.env.CHROMIUM_PATH || (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  if (!path) throw new Error('No Chromium: run `node scripts/setup.mjs --browser` first')
  return path
}
