import { statSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../context/config.ts'
import { isDiskFull } from '@kinora/platform/files/disk-full.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'

/**
 * Throws StartupError if root runs a command on a site of another user, because the site could not write files that root
 * creates in DATA_DIR.
 */
export function assertOwnSite({ dataDir }: Pick<Config, 'dataDir'>): void {
  const lock = statSync(path.join(dataDir, 'kinora.lock.db'), { throwIfNoEntry: false })
  if (process.getuid?.() !== 0 || !lock || lock.uid === 0) return
  throw new StartupError(
    `The site in DATA_DIR (${dataDir}) belongs to another user. Run the command as that user, with \`sudo -u '#${lock.uid}'\` before it.`,
  )
}

const reasons: Record<string, string> = {
  EACCES: 'this user lacks the right',
  EPERM: 'this user lacks the right',
  EROFS: 'the disk is read-only',
  ENOENT: 'it does not exist, and cannot be made',
  ENOTDIR: 'a part of it is not a directory',
}

/** Returns a message for a system error of a file or directory; undefined for any other error. */
export function describeSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  const file = 'path' in error ? String(error.path) : undefined
  if (isDiskFull(error))
    return `The disk${file ? ` of ${file}` : ''} is full. Free disk space, or name another directory.`
  const reason = reasons[codeOf(error) ?? '']
  return file && reason ? `${file} cannot be used: ${reason}. Name another directory.` : undefined
}
