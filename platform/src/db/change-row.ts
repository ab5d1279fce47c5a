/** Requested state of a row: present, absent, or inverted. */
export type RowChange = 'put' | 'delete' | 'toggle'

/** By how much the number of rows changed. */
export type RowDifference = -1 | 0 | 1

interface RowStatements {
  /** Inserts the row. Returns whether it did not exist. */
  insert: () => Promise<boolean>
  /** Deletes the row. Returns whether it existed. */
  remove: () => Promise<boolean>
}

/**
 * Inserts or deletes a row that exists at most once, under a lock of the caller. Returns whether it exists now, and how the
 * number of rows changed.
 */
export async function changeRow(
  change: RowChange,
  { insert, remove }: RowStatements,
): Promise<{ exists: boolean; difference: RowDifference }> {
  if (change !== 'delete') {
    const isNew = await insert()
    if (isNew || change === 'put') return { exists: true, difference: isNew ? 1 : 0 }
  }
  return { exists: false, difference: (await remove()) ? -1 : 0 }
}
