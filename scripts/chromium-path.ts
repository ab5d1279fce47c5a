import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the path of Chromium that the set-up recorded, or undefined if there is none. */
function findChromium(): string | undefined {
  return process.env.CHROMIUM_PATH || recorded('browser-path')
}

/**
 * Returns the path of Chromium's headless shell, which takes less CPU time, or else of Chromium; undefined if there is
 * neither. The shell shows no notifications.
 */
export function findShell(): string | undefined {
  return process.env.CHROMIUM_PATH || recorded('browser-shell-path') || findChromium()
}

function recorded(name: string): string | undefined {
  const file = join(import.meta.dirname, '../.tooling', name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Returns the path of Chromium that the set-up recorded. Throws if there is none. */
export function chromiumPath(): string {
  const path = findChromium()
  if (!path) throw new Error('No Chromium: run `node scripts/setup.mjs --browser` first')
  return path
}
