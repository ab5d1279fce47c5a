import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clusterTable, readClusterResults } from '../server/src/testing/fixtures/cluster-results.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/reliability.md'), 'utf8')

/** Prettier changes spaces and dashes in tables. */
const bare = (text: string) => text.replaceAll(/[ -]+/g, '').trim()

test('docs/reliability.md quotes the results of `npm run test:cluster`', () => {
  expect(bare(page)).toContain(bare(clusterTable(readClusterResults())))
})

test('no engine lost what was confirmed, and each was back within 30 s', () => {
  const faults = readClusterResults().flatMap((result) => result.faults)
  expect(faults.filter(({ lost, outageSeconds }) => lost > 0 || outageSeconds > 30)).toEqual([])
})
