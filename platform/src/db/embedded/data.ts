import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Scratch directory of upgrades. Leftovers of a killed upgrade are deleted. */
export const upgradesDirectory = (home: string) => join(home, 'upgrade')

const complete = (home: string) => join(home, 'data.upgraded')

/** Major version of the data directory in `home`; undefined where there is none. */
export function dataMajor(home: string): number | undefined {
  const file = join(home, 'data/PG_VERSION')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
}

/** Replaces the data directory and keeps the old one under a new name, which is returned. */
export function replaceData(home: string, freshHome: string): string {
  renameSync(join(freshHome, 'data'), complete(home))
  syncDirectory(home)
  const oldData = nameOfOldData(home)
  finishReplacing(home)
  return oldData
}

/** Finishes a `replaceData` that was killed. The new directory is valid from the first rename on. */
export function finishReplacing(home: string): void {
  if (!existsSync(complete(home))) return
  if (existsSync(join(home, 'data'))) {
    renameSync(join(home, 'data'), nameOfOldData(home))
    syncDirectory(home)
  }
  renameSync(complete(home), join(home, 'data'))
  syncDirectory(home)
  rmSync(upgradesDirectory(home), { recursive: true, force: true, maxRetries: 10 })
}

/** Returns a name that no earlier upgrade used. */
function nameOfOldData(home: string): string {
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
