import { lstatSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'

/** Programs and libraries. */
export const systemPaths = ['/usr', '/bin', '/lib', '/lib64', '/opt', '/nix/store', '/gnu/store']
/** What finds libraries. */
export const loaderPaths = ['/etc/ld.so.cache', '/etc/alternatives']

/** A directory or file to bind at its own path, and options of mount(8). */
export type Mount = { path: string; options: string }

export const readOnly = 'ro,nosuid,nodev'

/** `/sys`, which no program here needs, becomes a root directory that has nothing but what is bound into it. */
const buildRoot = `set -e
umask 022
mount -t tmpfs -o mode=0755,nosuid,nodev,size=64k kinora /sys
eval "mkdir -p $1"
eval "$2"
shift 2
cd /sys
exec chroot . "$@"`

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Runs a command where nothing but these paths is to be seen. Needs a mount namespace of its own, and the right to mount there. */
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

/** The directories above some paths, upper ones first, without the root and without those of the system. */
export function parentsOf(paths: string[]): string[] {
  const parents = new Set<string>()
  for (const one of paths) {
    for (let at = path.dirname(one); at !== path.dirname(at); at = path.dirname(at)) parents.add(at)
  }
  const isSystem = (directory: string) => systemPaths.some((one) => `${directory}/`.startsWith(`${one}/`))
  return [...parents].filter((one) => !isSystem(one)).toSorted((a, b) => a.length - b.length)
}
