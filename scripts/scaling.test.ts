import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
