import { expect, test } from 'vitest'
import { connectionsFor, countProcesses } from './process-counts.ts'

const unset = { webProcesses: undefined, workers: undefined }

test.each([
  [1, { webs: 1, workers: 1 }],
  [2, { webs: 1, workers: 1 }],
  [8, { webs: 4, workers: 1 }],
  [32, { webs: 4, workers: 2 }],
])('%i cores run %o', (cores, counts) => {
  expect(countProcesses(unset, cores, 'linux')).toEqual(counts)
})

test('settings override the defaults', () => {
  expect(countProcesses({ webProcesses: 3, workers: 5 }, 2, 'linux')).toEqual({ webs: 3, workers: 5 })
})

test('runs one web process on systems without shared ports', () => {
  expect(countProcesses({ webProcesses: 3, workers: undefined }, 8, 'darwin').webs).toBe(1)
})

test('the embedded PostgreSQL accepts the connections of all processes', () => {
  expect(connectionsFor({ webs: 1, workers: 1 }, 10)).toBe(100)
  expect(connectionsFor({ webs: 4, workers: 2 }, 10)).toBe(117)
})
