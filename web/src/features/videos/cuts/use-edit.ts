import type { VideoCut } from '@kinora/contract/videos/cuts.ts'
import { useEffect, useState } from 'react'
import { loadCutDraft, saveCutDraft } from './cut-draft.ts'
import * as edits from './edit-history.ts'
import { areSame, complement, indexAt, type TimeRange } from './ranges.ts'

/** Marks on the timeline of a video, with the steps that can be undone. A draft outlasts the page. */
export function useEdit(videoId: string, { keep, sourceDurationSeconds: durationSeconds }: VideoCut) {
  const published = complement(keep, durationSeconds)
  const [history, setHistory] = useState(() => {
    const removed = loadCutDraft(videoId, durationSeconds)
    const begun = edits.beginHistory(published)
    return removed ? edits.change(begun, { removed }) : begun
  })
  const edit = history.present
  const isChanged = !areSame(edit.removed, published)
  useEffect(() => {
    saveCutDraft(videoId, isChanged ? edit.removed : undefined, durationSeconds)
  }, [videoId, edit.removed, isChanged, durationSeconds])

  const selection = edits.selectionOf(edit, durationSeconds)
  const change = (choose: (present: edits.Edit) => Partial<edits.Edit>) =>
    setHistory((before) => edits.change(before, choose(before.present)))
  const withSelection = (choose: (present: edits.Edit, range: TimeRange) => Partial<edits.Edit>) => () =>
    change((present) => {
      const range = edits.selectionOf(present, durationSeconds)
      return range ? choose(present, range) : {}
    })

  return {
    edit,
    selection,
    isChanged,
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
    /** Shows what is published now, as a step that can be undone. */
    accept: (cut: VideoCut) => change(() => ({ removed: complement(cut.keep, durationSeconds) })),
  }
}

export type EditControl = ReturnType<typeof useEdit>
