import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '@kinora/contract/api.ts'
import { listProblems, updateLines } from './endpoint-lines.ts'

/**
 * Writes `contract/endpoints.txt`, one line for each endpoint; with `--check` reports what it lacks, so that no change breaks
 * programs of other people unseen.
 */
const root = join(import.meta.dirname, '..')
const file = join(root, 'contract/endpoints.txt')
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)

if (process.argv.includes('--check')) {
  const problems = listProblems(lines, api, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} else {
  writeFileSync(file, `${updateLines(lines, api).join('\n')}\n`)
}
