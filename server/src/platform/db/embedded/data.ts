import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Where upgrades build new data directories. What a killed one leaves there is worth nothing. */
export const upgradesDirectory = (home: string) => join(home, 'upgrade')

const complete = (home: string) => join(home, 'data.upgraded')

/** Major version of the data directory in `home`; undefined where there is none. */
export function dataMajor(home: string): number | undefined {
  const file = join(home, 'data/PG_VERSION')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
}

/** Puts the new data directory in the place of the old one, which is kept. Returns the new name of the old one. */
export function replaceData(home: string, freshHome: string): string {
  renameSync(join(freshHome, 'data'), complete(home))
  syncDirectory(home)
  const kept = keptName(home)
  finishReplacing(home)
  return kept
}

/** Finishes `replaceData` after a kill: from its first rename on, the new directory is the valid one. */
export function finishReplacing(home: string): void {
  if (!existsSync(complete(home))) return
  if (existsSync(join(home, 'data'))) {
    renameSync(join(home, 'data'), keptName(home))
    syncDirectory(home)
  }
  renameSync(complete(home), join(home, 'data'))
  syncDirectory(home)
  rmSync(upgradesDirectory(home), { recursive: true, force: true, maxRetries: 10 })
}

/** A name that no earlier upgrade has used. */
function keptName(home: string): string {
  const name = join(home, `data-${dataMajor(home)}`)
  let candidate = name
  for (let count = 2; existsSync(candidate); count += 1) candidate = `${name}-${count}`
  return candidate
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
