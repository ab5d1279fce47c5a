import { expect, it } from 'vitest'
import {
  beginHistory,
  change,
  type EditHistory,
  keepOnly,
  mark,
  moveRemoved,
  redo,
  remove,
  restore,
  selectionOf,
  undo,
} from './edit-history.ts'

const durationSeconds = 100
const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })
const shown = ({ present: { removed } }: EditHistory) =>
  removed.map(({ startSeconds, endSeconds }) => `${startSeconds}-${endSeconds}`)

it('removes, keeps and restores ranges', () => {
  const begun = beginHistory([])
  const one = change(begun, remove(begun.present, range(10, 20)))
  expect(shown(one)).toEqual(['10-20'])
  const kept = change(one, keepOnly(one.present, range(5, 50), durationSeconds))
  expect(shown(kept)).toEqual(['0-5', '10-20', '50-100'])
  expect(shown(change(kept, restore(kept.present, range(15, 60))))).toEqual(['0-5', '10-15', '60-100'])
  expect(shown(change(kept, moveRemoved(kept.present, 1, range(4, 12))))).toEqual(['0-12', '50-100'])
})

it('selects from the beginning or to the end where one border is missing', () => {
  const { present } = beginHistory([])
  const at = (edit: Partial<typeof present>) => selectionOf({ ...present, ...edit }, durationSeconds)
  expect(at({})).toBeUndefined()
  expect(at(mark(present, 'end', 8))).toEqual(range(0, 8))
  expect(at(mark(present, 'start', 90))).toEqual(range(90, 100))
  expect(at(mark(present, 'start', 100))).toBeUndefined()
})

it('drops a border that would be on the wrong side of a new one', () => {
  const edit = { ...beginHistory([]).present, startMark: 10, endMark: 20 }
  expect(mark(edit, 'start', 30)).toEqual({ startMark: 30, endMark: undefined })
  expect(mark(edit, 'end', 5)).toEqual({ endMark: 5, startMark: undefined })
  expect(mark(edit, 'start', 12)).toEqual({ startMark: 12 })
})

it('undoes and repeats every step, marks included', () => {
  let history = beginHistory([range(90, 100)])
  history = change(history, mark(history.present, 'start', 10))
  history = change(history, mark(history.present, 'end', 20))
  history = change(history, remove(history.present, range(10, 20)))
  expect(shown(history)).toEqual(['10-20', '90-100'])
  const back = undo(history)
  expect(back.present).toMatchObject({ startMark: 10, endMark: 20 })
  expect(shown(back)).toEqual(['90-100'])
  expect(redo(back)).toEqual(history)
  expect(undo(undo(undo(undo(history))))).toMatchObject({ past: [], present: { startMark: undefined } })
  expect(redo(history)).toBe(history)
})

it('has no step for what changes nothing, and forgets undone steps after another change', () => {
  const begun = beginHistory([range(10, 20)])
  expect(change(begun, remove(begun.present, range(12, 15)))).toBe(begun)
  const undone = undo(change(begun, remove(begun.present, range(30, 40))))
  expect(undone.future).toHaveLength(1)
  expect(change(undone, remove(undone.present, range(50, 60))).future).toEqual([])
})
