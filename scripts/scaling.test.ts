import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { simulate, transferDollars } from '../bench/cdn.ts'
import { readConstants, estimate, tables } from '../bench/scaling.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/operations/scaling.md'), 'utf8')

/** Prettier changes spaces and dashes in tables. */
const bare = (text: string) => text.replaceAll(/[ -]+/g, '').trim()

test('docs/operations/scaling.md quotes the output of `npm run bench -- scaling`', () => {
  expect(bare(page)).toContain(bare(tables(readConstants())))
})

test('ten times the viewers need ten times the cores, and a CDN takes most of the network', () => {
  const constants = readConstants()
  const [small, large] = [estimate(constants, 10_000, false), estimate(constants, 100_000, false)]
  expect(large['web, cores'] / small['web, cores']).toBeCloseTo(10, 0)
  expect(estimate(constants, 100_000, true)['media, Gbit/s']).toBeLessThan(large['media, Gbit/s'] / 10)
})

test('a simulation is the same for the same seed, and larger caches hit more', () => {
  const small = { viewers: 100, videos: 1000, edges: 2, edgeTerabytes: 0.01, shieldTerabytes: 0.1 }
  const once = simulate(small)
  expect(simulate(small)).toEqual(once)
  expect(simulate({ ...small, seed: 2 })).not.toEqual(once)
  expect(simulate({ ...small, edgeTerabytes: 0.1 }).edgeHits).toBeGreaterThan(once.edgeHits)
  expect(once.shieldHits).toBeGreaterThan(once.edgeHits)
})

test('each step of a price list counts for its terabytes only', () => {
  const tiers: [number, number][] = [
    [10, 0.1],
    [Infinity, 0.01],
  ]
  expect(transferDollars(tiers, 5000)).toBeCloseTo(500)
  expect(transferDollars(tiers, 20_000)).toBeCloseTo(1100)
})
