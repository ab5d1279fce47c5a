import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Detects a manual `npm ci`: npm's own record then equals the lock file. Optional packages for other machines are missing.
 * With a Node older than they state, npm also leaves out those for this machine, which the build needs.
 */
export function isInstalled(root) {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = packagesOf(record)
  return Object.entries(packagesOf(join(root, 'package-lock.json')))
    .filter(([path]) => path.startsWith('node_modules/'))
    .every(([path, wanted]) =>
      installed[path]
        ? installed[path].version === wanted.version
        : wanted.optional && !isForThisMachine(wanted),
    )
}

const libraryOfC = () => (process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')

const isForThisMachine = ({ os, cpu, libc }) =>
  os?.includes(process.platform) && cpu?.includes(process.arch) && (!libc || libc.includes(libraryOfC()))
