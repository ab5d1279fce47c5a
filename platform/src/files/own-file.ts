import {
  closeSync,
  constants,
  ftruncateSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { codeOf } from '../errors.ts'

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/** Returns the text of a file; undefined if there is none, or a symbolic link in its place. */
export function readOwnFile(path: string): string | undefined {
  let fd: number
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ELOOP') return undefined
    throw error
  }
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** Replaces a file by a new one. What a link of that name leads to stays as it is. */
export function writeOwnFile(path: string, text: string): void {
  rmSync(path, { force: true })
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    writeFileSync(fd, text)
  } finally {
    closeSync(fd)
  }
}

/**
 * Opens a log for appending, and empties one that is longer than `maxBytes`. A link in its place is removed. Returns the
 * descriptor and the length.
 */
export function openOwnLog(path: string, maxBytes: number): { fd: number; start: number } {
  const open = () => openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  let fd: number
  try {
    fd = open()
  } catch (error) {
    if (codeOf(error) !== 'ELOOP') throw error
    rmSync(path)
    fd = open()
  }
  if (fstatSync(fd).size > maxBytes) ftruncateSync(fd)
  return { fd, start: fstatSync(fd).size }
}
