import { loadDraft, saveDraft } from '../../../lib/forms/drafts.ts'
import type { Ranges, TimeRange } from './ranges.ts'

const keyOf = (videoId: string) => `cut.${videoId}`

/** Removed ranges that this browser keeps until they are published or discarded. Undefined without a draft of this file. */
export function loadCutDraft(videoId: string, durationSeconds: number): TimeRange[] | undefined {
  try {
    const draft: unknown = JSON.parse(loadDraft(keyOf(videoId), 'browser'))
    if (typeof draft !== 'object' || draft === null || !('removed' in draft) || !('durationSeconds' in draft))
      return undefined
    if (draft.durationSeconds !== durationSeconds || !Array.isArray(draft.removed)) return undefined
    const removed: unknown[] = draft.removed
    return removed.every(isRange) ? removed : undefined
  } catch {
    // No draft, or one that was not stored completely.
    return undefined
  }
}

/** Keeps removed ranges; undefined forgets the draft. */
export function saveCutDraft(videoId: string, removed: Ranges | undefined, durationSeconds: number): void {
  saveDraft(keyOf(videoId), removed ? JSON.stringify({ durationSeconds, removed }) : '', 'browser')
}

const isRange = (value: unknown): value is TimeRange =>
  typeof value === 'object' &&
  value !== null &&
  'startSeconds' in value &&
  'endSeconds' in value &&
  Number.isFinite(value.startSeconds) &&
  Number.isFinite(value.endSeconds)
