import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSteps, staticSteps } from './check.ts'

/**
 * Everything that must hold: the checks, then every test. `npm test -- server likes` runs one group of the tests, and of
 * it the files whose path contains the rest.
 */
const root = join(import.meta.dirname, '..')
// One after the other: what measures time or fills the machine must not disturb the rest.
const groups = [['unit', 'server'], ['media'], ['s3'], ['start'], ['chaos'], ['e2e']]

interface Count {
  passed: number
  failed: number
  skipped: number
  /** What failed, and how: told once more at the end, where it is looked for. */
  failures: string[]
}

/** What vitest's JSON reporter writes, as far as it is read here. */
interface Report {
  numTotalTests: number
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

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

/** Runs some of vitest's projects and counts what they report; a run that breaks without a report is a failure too. */
function runGroup(projects: string[], filters: string[]): Count {
  const directory = mkdtempSync(join(tmpdir(), 'kinora-report-'))
  const file = join(directory, 'report.json')
  const args = ['run', ...projects.flatMap((name) => ['--project', name]), ...filters, '--passWithNoTests']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  console.log(`\n== ${projects.join(' and ')} tests`)
  try {
    const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), [...args, ...reporters], {
      cwd: root,
      stdio: 'inherit',
    })
    const count = existsSync(file) ? read(file) : { passed: 0, failed: 0, skipped: 0, failures: [] }
    if (status === 0 || count.failed > 0) return count
    return { ...count, failed: 1, failures: [`the ${projects.join(' and ')} tests broke without a report`] }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function read(file: string): Count {
  const report: Report = JSON.parse(readFileSync(file, 'utf8'))
  // A file that broke before its first test has no test that could count as failed.
  const broken = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  )
  const failedTests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join('\n')}`),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [...failedTests, ...broken.map(({ name, message }) => `${name}\n${message}`)],
  }
}

function sum(counts: Count[]): Count {
  const add = (key: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[key], 0)
  return {
    passed: add('passed'),
    failed: add('failed'),
    skipped: add('skipped'),
    failures: counts.flatMap(({ failures }) => failures),
  }
}

await main(process.argv.slice(2))
