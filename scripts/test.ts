import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSteps, staticSteps } from './check.ts'
import {
  countPlaywright,
  countVitest,
  sum,
  type Count,
  type PlaywrightReport,
  type VitestReport,
} from './test-reports.ts'

/**
 * Everything that must hold: the checks, then every test. `npm test -- server likes` runs one group of the tests, and of
 * it the files whose path contains the rest.
 */
const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)
// One after the other: what measures time or fills the machine must not disturb the rest.
const groups = [['unit', 'server'], ['media'], ['s3'], ['start'], ['chaos'], ['e2e']]

// The log of a whole site may hang on a message: its beginning says what is wrong.
const maxFailureLength = 3000

async function main([only, ...filters]: string[]): Promise<void> {
  const wanted = only ? groups.filter((projects) => projects.includes(only)).map(() => [only]) : groups
  if (wanted.length === 0) throw new Error(`There is no group ${only}: ${groups.flat().join(', ')}.`)

  const areChecksFine = only !== undefined || (await runSteps(staticSteps))
  const counts = wanted.map((projects) => runGroup(projects, filters))
  const total = sum(counts)
  if (total.skipped > 0) console.log(`${total.skipped} skipped: the reasons are above.`)
  if (!areChecksFine) console.log('The checks failed: see the beginning.')
  for (const failure of total.failures) console.log(`\nFailed: ${failure.slice(0, maxFailureLength)}`)
  if (total.passed + total.failed === 0) console.log('No test ran.')
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = areChecksFine && total.failed === 0 && total.passed > 0 ? 0 : 1
}

/** Runs one group and counts what it reports; a run that breaks without a report is a failure too. */
function runGroup(projects: string[], filters: string[]): Count {
  const directory = mkdtempSync(join(tmpdir(), 'kinora-report-'))
  const file = join(directory, 'report.json')
  const isPlaywright = projects.includes('e2e')
  console.log(`\n== ${projects.join(' and ')} tests`)
  try {
    const { status } = isPlaywright ? runPlaywright(filters, file) : runVitest(projects, filters, file)
    const count = existsSync(file) ? read(file, isPlaywright) : sum([])
    if (status === 0 || count.failed > 0) return count
    return { ...count, failed: 1, failures: [`the ${projects.join(' and ')} tests broke without a report`] }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function runVitest(projects: string[], filters: string[], report: string) {
  const args = ['run', ...projects.flatMap((name) => ['--project', name]), ...filters, '--passWithNoTests']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return spawnSync(bin('vitest'), [...args, ...reporters], { cwd: root, stdio: 'inherit' })
}

function runPlaywright(filters: string[], report: string) {
  const args = ['test', ...filters, '--pass-with-no-tests', '--forbid-only', '--reporter=list,json']
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  return spawnSync(bin('playwright'), args, { cwd: root, stdio: 'inherit', env })
}

function read(file: string, isPlaywright: boolean): Count {
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return isPlaywright ? countPlaywright(report as PlaywrightReport) : countVitest(report as VitestReport)
}

await main(process.argv.slice(2))
