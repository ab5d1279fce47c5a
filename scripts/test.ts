import { spawn } from 'node:child_process'
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
 * Runs the checks, then every test. `npm test -- server likes` runs the files of one group whose path contains the rest.
 */
const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)
/**
 * Groups of an inner list run one after the other, the lists of a stage side by side: one waits for processes while
 * another needs the processor. The end-to-end tests fill the cores by themselves.
 */
const stages = [
  [[['unit', 'server']], [['start'], ['media']], [['chaos'], ['components'], ['s3']]],
  [[['e2e']]],
]

// truncated, because a message may contain the log of a whole site
const maxFailureLength = 3000

async function main([only, ...filters]: string[]): Promise<void> {
  const names = stages.flat(3)
  if (only !== undefined && !names.includes(only))
    throw new Error(`There is no group ${only}: ${names.join(', ')}.`)

  const areChecksFine = only !== undefined || (await runSteps(staticSteps))
  const total = only === undefined ? await runStages() : await runGroup([only], filters, 'shown')
  if (total.skipped > 0) console.log(`${total.skipped} skipped: the reasons are above.`)
  if (!areChecksFine) console.log('The checks failed: see the beginning.')
  for (const failure of total.failures) console.log(`\nFailed: ${failure.slice(0, maxFailureLength)}`)
  if (total.passed + total.failed === 0) console.log('No test ran.')
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = areChecksFine && total.failed === 0 && total.passed > 0 ? 0 : 1
}

async function runStages(): Promise<Count> {
  const counts: Count[] = []
  for (const lanes of stages) {
    const lane = async (groups: string[][], isFirst: boolean) => {
      for (const group of groups) counts.push(await runGroup(group, [], isFirst ? 'shown' : 'kept'))
    }
    await Promise.all(lanes.map((groups, index) => lane(groups, index === 0)))
  }
  return sum(counts)
}

/**
 * Runs one group and counts what it reports; a run that breaks without a report is a failure too. Its output is shown
 * as it comes, or kept until it ends where it would mix with another one.
 */
async function runGroup(projects: string[], filters: string[], output: 'shown' | 'kept'): Promise<Count> {
  const name = projects.join(' and ')
  const directory = mkdtempSync(join(tmpdir(), 'kinora-report-'))
  const file = join(directory, 'report.json')
  const isPlaywright = projects.includes('e2e')
  const startedAt = performance.now()
  console.log(`\n== ${name} tests${output === 'kept' ? ' begin; their output follows when they end' : ''}`)
  try {
    const status = isPlaywright
      ? await run('playwright', playwrightArgs(filters), output, { PLAYWRIGHT_JSON_OUTPUT_FILE: file })
      : await run('vitest', vitestArgs(projects, filters, file), output)
    console.log(`== ${name} tests took ${Math.round((performance.now() - startedAt) / 1000)} s`)
    const count = existsSync(file) ? read(file, isPlaywright) : sum([])
    if (status === 0 || count.failed > 0) return count
    return { ...count, failed: 1, failures: [`the ${name} tests broke without a report`] }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function vitestArgs(projects: string[], filters: string[], report: string): string[] {
  const wanted = [...projects.flatMap((name) => ['--project', name]), ...filters, '--passWithNoTests']
  return ['run', ...wanted, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
}

function playwrightArgs(filters: string[]): string[] {
  return ['test', ...filters, '--pass-with-no-tests', '--forbid-only', '--reporter=list,json']
}

/** Runs a program to its end and returns its exit code. */
function run(program: string, args: string[], output: 'shown' | 'kept', env = {}): Promise<number | null> {
  const stream = output === 'shown' ? 'inherit' : 'pipe'
  const child = spawn(bin(program), args, {
    cwd: root,
    stdio: ['ignore', stream, stream],
    env: { ...process.env, ...env },
  })
  const chunks: Buffer[] = []
  for (const kept of [child.stdout, child.stderr]) kept?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(chunks))
      resolve(code)
    })
  })
}

function read(file: string, isPlaywright: boolean): Count {
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return isPlaywright ? countPlaywright(report as PlaywrightReport) : countVitest(report as VitestReport)
}

await main(process.argv.slice(2))
