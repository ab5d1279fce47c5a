import { open } from 'node:fs/promises'
import { writeFully } from './write-fully.ts'

/** Bytes to be written over a stretch of a file: `head` at `start`, and zeros from there to `end`, which is not included. */
export interface FileEdit {
  start: number
  head: Uint8Array
  end: number
}

const ZEROS = Buffer.alloc(1024 * 1024)

/**
 * Applies edits in place. The zeros are on the disk before any head is written, so that a file whose machine fails
 * meanwhile can be read and edited again.
 */
export async function applyEdits(path: string, edits: readonly FileEdit[]): Promise<void> {
  if (edits.length === 0) return
  const file = await open(path, 'r+')
  try {
    let hasZeros = false
    for (const { start, head, end } of edits) {
      for (let at = start + head.length; at < end; at += ZEROS.length) {
        await writeFully(file, ZEROS.subarray(0, Math.min(ZEROS.length, end - at)), at)
        hasZeros = true
      }
    }
    if (hasZeros) await file.datasync()
    for (const { start, head } of edits) await writeFully(file, Buffer.from(head), start)
  } finally {
    await file.close()
  }
}

/** Applies edits to the bytes of a file from `offset` on. */
export function editBytes(bytes: Buffer, offset: number, edits: readonly FileEdit[]): void {
  for (const { start, head, end } of edits) {
    const from = Math.max(start, offset)
    const to = Math.min(end, offset + bytes.length)
    if (from >= to) continue
    bytes.fill(0, from - offset, to - offset)
    const headEnd = Math.min(start + head.length, to)
    if (from < headEnd) bytes.set(head.subarray(from - start, headEnd - start), from - offset)
  }
}

/** Whether an edit changes any of the bytes from `start` to `end`, both included. */
export function touches(edits: readonly FileEdit[], { start, end }: { start: number; end: number }): boolean {
  return edits.some((edit) => edit.start <= end && edit.end > start)
}
