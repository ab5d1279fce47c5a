import { type Ranges, type TimeRange, areSame, complement, subtract, unite } from './ranges.ts'

/** Marks on a timeline: the removed ranges, and the borders of a selection. */
export type Edit = {
  removed: Ranges
  startMark: number | undefined
  endMark: number | undefined
}

export type EditHistory = { past: readonly Edit[]; present: Edit; future: readonly Edit[] }

/** Steps that can be undone: more than anybody remembers. */
const MAX_STEPS = 200

export const beginHistory = (removed: Ranges): EditHistory => ({
  past: [],
  present: { removed, startMark: undefined, endMark: undefined },
  future: [],
})

/** Changes the edit; what changes nothing is no step. */
export function change(history: EditHistory, changes: Partial<Edit>): EditHistory {
  const { past, present } = history
  const next = { ...present, ...changes }
  if (
    areSame(present.removed, next.removed) &&
    present.startMark === next.startMark &&
    present.endMark === next.endMark
  )
    return history
  return { past: [...past, present].slice(-MAX_STEPS), present: next, future: [] }
}

export function undo(history: EditHistory): EditHistory {
  const { past, present, future } = history
  const before = past.at(-1)
  return before ? { past: past.slice(0, -1), present: before, future: [present, ...future] } : history
}

export function redo(history: EditHistory): EditHistory {
  const { past, present, future } = history
  const [after, ...rest] = future
  return after ? { past: [...past, present], present: after, future: rest } : history
}

/** The selected range: from its start mark, else the beginning, to its end mark, else the end. Undefined without marks. */
export function selectionOf({ startMark, endMark }: Edit, durationSeconds: number): TimeRange | undefined {
  if (startMark === undefined && endMark === undefined) return undefined
  const range = { startSeconds: startMark ?? 0, endSeconds: endMark ?? durationSeconds }
  return range.endSeconds > range.startSeconds ? range : undefined
}

/** Sets one border of the selection; the other one is dropped where it would be on the wrong side. */
export function mark(edit: Edit, side: 'start' | 'end', seconds: number): Partial<Edit> {
  if (side === 'start')
    return {
      startMark: seconds,
      ...(edit.endMark !== undefined && edit.endMark <= seconds && { endMark: undefined }),
    }
  return {
    endMark: seconds,
    ...(edit.startMark !== undefined && edit.startMark >= seconds && { startMark: undefined }),
  }
}

export const withoutMarks = { startMark: undefined, endMark: undefined }

/** Removes a range. */
export const remove = ({ removed }: Edit, range: TimeRange): Partial<Edit> => ({
  removed: unite(removed, range),
  ...withoutMarks,
})

/** Removes everything outside of a range. What is removed within it stays so. */
export const keepOnly = ({ removed }: Edit, range: TimeRange, durationSeconds: number): Partial<Edit> => ({
  removed: complement([range], durationSeconds).reduce(unite, removed),
  ...withoutMarks,
})

/** Restores what is removed within a range. */
export const restore = ({ removed }: Edit, range: TimeRange): Partial<Edit> => ({
  removed: subtract(removed, range),
  ...withoutMarks,
})

/** Gives a removed part other borders. */
export const moveRemoved = ({ removed }: Edit, index: number, range: TimeRange): Partial<Edit> => ({
  removed: unite(
    removed.filter((_, at) => at !== index),
    range,
  ),
})
