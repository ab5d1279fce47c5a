import { loadDraft, saveDraft } from '../../../lib/forms/drafts.ts'
import type { Ranges, TimeRange } from './ranges.ts'

const keyOf = (videoId: string) => `cut.${videoId}`

interface CutDraft {
  removed: TimeRange[]
  /** Change of the cut that the draft began with. Undefined in drafts of older versions. */
  changedAt: string | null | undefined
}

/** Removed ranges that this browser keeps until they are published or discarded. Undefined without a draft of this file. */
export function loadCutDraft(videoId: string, durationSeconds: number): CutDraft | undefined {
  try {
    const draft: unknown = JSON.parse(loadDraft(keyOf(videoId), 'browser'))
    if (typeof draft !== 'object' || draft === null || !('removed' in draft) || !('durationSeconds' in draft))
      return undefined
    if (draft.durationSeconds !== durationSeconds || !Array.isArray(draft.removed)) return undefined
    const removed: unknown[] = draft.removed
    const changedAt = 'changedAt' in draft ? draft.changedAt : undefined
    const isKnown = typeof changedAt === 'string' || changedAt === null
    return removed.every(isRange) ? { removed, changedAt: isKnown ? changedAt : undefined } : undefined
  } catch {
    // No draft, or one that was not stored completely.
    return undefined
  }
}

/** Keeps removed ranges; undefined forgets the draft. */
export function saveCutDraft(
  videoId: string,
  draft: { removed: Ranges; changedAt: string | null; durationSeconds: number } | undefined,
): void {
  saveDraft(keyOf(videoId), draft ? JSON.stringify(draft) : '', 'browser')
}

const isRange = (value: unknown): value is TimeRange =>
  typeof value === 'object' &&
  value !== null &&
  'startSeconds' in value &&
  'endSeconds' in value &&
  Number.isFinite(value.startSeconds) &&
  Number.isFinite(value.endSeconds)
