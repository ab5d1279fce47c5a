import { expect, it } from 'vitest'
import { changedPositions, positionsFromStored, withChanges, withPosition } from './local-positions.ts'

it('keeps each position once, newest last, and removes it at zero', () => {
  const two = withPosition(withPosition([], 'a', 12.7), 'b', 30)
  expect(two).toEqual([
    ['a', 12],
    ['b', 30],
  ])
  expect(withPosition(two, 'a', 50).map(([id]) => id)).toEqual(['b', 'a'])
  expect(withPosition(two, 'a', 0)).toEqual([['b', 30]])
})

it('drops the oldest positions beyond the limit', () => {
  let positions = positionsFromStored('[["x", 1], "junk", [2, "y"]]')
  expect(positions).toEqual([['x', 1]])
  for (let index = 0; index < 300; index += 1) positions = withPosition(positions, `v${index}`, 20)
  expect(positions).toHaveLength(200)
  expect(positions.at(-1)?.[0]).toBe('v299')
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

it('changedPositions does not remove positions for which the list has no room', () => {
  const full = Array.from({ length: 200 }, (_, index) => [`v${index}`, 20] as const)
  const after = withPosition(full, 'new', 30)
  expect(changedPositions(JSON.stringify(full), JSON.stringify(after))).toEqual([['new', 30]])
})
