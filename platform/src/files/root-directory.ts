import { lstatSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'

/** Programs and libraries. */
export const systemPaths = ['/usr', '/bin', '/lib', '/lib64', '/opt', '/nix/store', '/gnu/store']
/** Configuration of the dynamic loader. */
export const loaderPaths = ['/etc/ld.so.cache', '/etc/alternatives']

/** A directory or file to bind at its own path, and options of mount(8). */
export type Mount = { path: string; options: string }

export const readOnly = 'ro,nosuid,nodev'

/** Mounts a new root directory on `/sys`, which these programs do not need, and binds the given paths into it. */
const buildRoot = `set -e
umask 022
mount -t tmpfs -o mode=0755,nosuid,nodev,size=64k kinora /sys
eval "mkdir -p $1"
eval "$2"
shift 2
cd /sys
exec chroot . "$@"`

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a command line that runs `command` with only these paths visible. Needs its own mount namespace with the right to mount. */
export function inOwnRoot(mounts: Mount[], command: string[]): string[] {
  const parents = parentsOf(mounts.map((mount) => mount.path))
  const directories = ['/sys/', ...parents.map((directory) => `/sys${directory}`)]
  const steps: string[] = []
  for (const { path: from, options } of mounts) {
    const stats = lstatSync(from, { throwIfNoEntry: false })
    if (!stats) continue
    const to = quoted(`/sys${from}`)
    if (stats.isSymbolicLink() && systemPaths.includes(from)) {
      steps.push(`ln -s ${quoted(readlinkSync(from))} ${to}`)
      continue
    }
    const isDirectory = statSync(from).isDirectory()
    if (isDirectory) directories.push(`/sys${from}`)
    else steps.push(`: > ${to}`)
    steps.push(`mount ${isDirectory ? '--rbind' : '--bind'} -o ${options} ${quoted(from)} ${to}`)
  }
  return ['sh', '-c', buildRoot, 'sh', directories.map(quoted).join(' '), steps.join('\n'), ...command]
}

/** Returns the parent directories of paths, top-down, without the root and system directories. */
export function parentsOf(paths: string[]): string[] {
  const parents = new Set<string>()
  for (const one of paths) {
    for (let at = path.dirname(one); at !== path.dirname(at); at = path.dirname(at)) parents.add(at)
  }
  const isSystem = (directory: string) => systemPaths.some((one) => `${directory}/`.startsWith(`${one}/`))
  return [...parents].filter((one) => !isSystem(one)).toSorted((a, b) => a.length - b.length)
}
