import { open } from 'node:fs/promises'
import { writeFully } from './write-fully.ts'

/** Overwrites a range of a file: `head` at `start`, then zeros up to `end` (exclusive). */
export interface FileEdit {
  start: number
  head: Uint8Array
  end: number
}

const ZEROS = Buffer.alloc(1024 * 1024)

/** Applies edits in place. Zeros are synced before the heads are written, so that the edit can be repeated after a crash. */
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

/** Whether an edit changes any byte from `start` to `end` (inclusive). */
export function touches(edits: readonly FileEdit[], { start, end }: { start: number; end: number }): boolean {
  return edits.some((edit) => edit.start <= end && edit.end > start)
}
