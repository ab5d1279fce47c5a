import type { VideoCut } from '@kinora/contract/videos/cuts.ts'
import { useEffect, useState } from 'react'
import { loadCutDraft, saveCutDraft } from './cut-draft.ts'
import * as edits from './edit-history.ts'
import { areSame, complement, indexAt, type TimeRange } from './ranges.ts'

/** Marks on the timeline of a video, with the steps that can be undone. A draft outlasts the page. */
export function useEdit(videoId: string, cut: VideoCut) {
  const { sourceDurationSeconds: durationSeconds } = cut
  const baseOf = ({ keep, changedAt }: VideoCut) => ({
    removed: complement(keep, durationSeconds),
    changedAt,
  })
  const [draft] = useState(() => loadCutDraft(videoId, durationSeconds))
  /** The cut that the marks began with. */
  const [base, setBase] = useState(() => {
    const current = baseOf(cut)
    return { ...current, changedAt: draft?.changedAt === undefined ? current.changedAt : draft.changedAt }
  })
  const [history, setHistory] = useState(() => {
    const begun = edits.beginHistory(base.removed)
    return draft ? edits.change(begun, { removed: draft.removed }) : begun
  })
  const edit = history.present
  const isChanged = !areSame(edit.removed, base.removed)
  const isStale = base.changedAt !== cut.changedAt
  const { removed } = edit
  const { changedAt } = base
  useEffect(() => {
    saveCutDraft(videoId, isChanged ? { removed, changedAt, durationSeconds } : undefined)
  }, [videoId, removed, changedAt, isChanged, durationSeconds])

  const selection = edits.selectionOf(edit, durationSeconds)
  const change = (choose: (present: edits.Edit) => Partial<edits.Edit>) =>
    setHistory((before) => edits.change(before, choose(before.present)))
  const withSelection = (choose: (present: edits.Edit, range: TimeRange) => Partial<edits.Edit>) => () =>
    change((present) => {
      const range = edits.selectionOf(present, durationSeconds)
      return range ? choose(present, range) : {}
    })

  /** Shows what is published now, as a step that can be undone. */
  function accept(current: VideoCut) {
    const next = baseOf(current)
    setBase(next)
    change(() => ({ removed: next.removed }))
  }
  if (isStale && !isChanged) accept(cut)

  return {
    edit,
    selection,
    isChanged,
    /** Whether the cut was changed by others since these marks began. */
    isStale,
    /** When the cut was changed that these marks began with. */
    changedAt,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => setHistory(edits.undo),
    redo: () => setHistory(edits.redo),
    mark: (side: 'start' | 'end', seconds: number) => change((present) => edits.mark(present, side, seconds)),
    select: ({ startSeconds, endSeconds }: TimeRange) =>
      change(() => ({ startMark: startSeconds, endMark: endSeconds })),
    clearMarks: () => change(() => edits.withoutMarks),
    removeSelection: withSelection(edits.remove),
    keepSelection: withSelection((present, range) => edits.keepOnly(present, range, durationSeconds)),
    /** Restores what is removed in the selection, or else the removed part at a time. */
    restoreAt: (seconds: number) =>
      change((present) => {
        const range =
          edits.selectionOf(present, durationSeconds) ?? present.removed[indexAt(present.removed, seconds)]
        return range ? edits.restore(present, range) : {}
      }),
    restore: (range: TimeRange) => change((present) => edits.restore(present, range)),
    moveRemoved: (index: number, range: TimeRange) =>
      change((present) => edits.moveRemoved(present, index, range)),
    accept,
  }
}

export type EditControl = ReturnType<typeof useEdit>
