import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the path of Chromium that the set-up recorded, or undefined if there is none. */
export function findChromium(): string | undefined {
  const file = join(import.meta.dirname, '../.tooling/browser-path')
  return process.env.CHROMIUM_PATH || (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
}

/** Returns the path of Chromium that the set-up recorded. Throws if there is none. */
export function chromiumPath(): string {
  const path = findChromium()
  if (!path) throw new Error('No Chromium: run `node scripts/setup.mjs --browser` first')
  return path
}
