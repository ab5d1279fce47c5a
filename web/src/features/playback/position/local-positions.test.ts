import { expect, it } from 'vitest'
import { changedPositions, withChanges, withPosition } from './local-positions.ts'

it('withPosition keeps the latest position of a video, and removes it at 0', () => {
  const positions = withPosition([['a', 1]], 'a', 12.7)
  expect(positions).toEqual([['a', 12]])
  expect(withPosition(positions, 'a', 0)).toEqual([])
})

it('changedPositions returns what another tab stored and removed', () => {
  const before = JSON.stringify([
    ['a', 10],
    ['b', 20],
    ['c', 30],
  ])
  const after = JSON.stringify([
    ['a', 10],
    ['b', 25],
    ['d', 40],
  ])
  const changes = changedPositions(before, after)
  expect(changes).toEqual([
    ['c', 0],
    ['b', 25],
    ['d', 40],
  ])
  expect(changedPositions(null, '[]')).toEqual([])
  expect(changedPositions('no JSON', 'neither')).toEqual([])

  const own = new Map([
    ['c', 30],
    ['e', 5],
  ])
  expect([...withChanges(own, changes)]).toEqual([
    ['e', 5],
    ['b', 25],
    ['d', 40],
  ])
})
