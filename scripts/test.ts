import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSteps, staticSteps } from './check.ts'
import {
  countPlaywright,
  countVitest,
  slowest,
  sum,
  type Count,
  type PlaywrightReport,
  type VitestReport,
} from './test-reports.ts'

/**
 * Runs the checks and the tests of every change. `npm test -- server likes` runs the files of one group whose path contains
 * the rest, with the night.
 */
const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/**
 * Stages run one after the other, the lanes of a stage side by side, the groups of a lane one after the other. Media and
 * end-to-end tests fill the cores by themselves: beside others they take longer than after them, and run into timeouts.
 * The static checks are the beginning of the second lane.
 */
const stages = [[[['unit', 'server']], [['components'], ['start']]], [[['media']]], [[['e2e']]]]
/** Groups of the night. */
const others = ['s3', 'chaos']

// truncated, because a message may contain the log of a whole site
const maxFailureLength = 3000

async function main([only, ...filters]: string[]): Promise<void> {
  const names = [...stages.flat(3), ...others]
  if (only !== undefined && !names.includes(only))
    throw new Error(`There is no group ${only}: ${names.join(', ')}.`)

  const { areChecksFine, total } = only === undefined ? await runAll() : await runOne(only, filters)
  if (only === undefined) {
    console.log('\nSlowest tests:')
    for (const { name, seconds } of slowest(total))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
  }
  if (total.skipped > 0) console.log(`${total.skipped} skipped: the reasons are above.`)
  if (!areChecksFine) console.log('The checks failed: see above.')
  for (const failure of total.failures) console.log(`\nFailed: ${failure.slice(0, maxFailureLength)}`)
  if (total.passed + total.failed === 0) console.log('No test ran.')
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = areChecksFine && total.failed === 0 && total.passed > 0 ? 0 : 1
}

async function runOne(group: string, filters: string[]) {
  return { areChecksFine: true, total: await runGroup([group], { filters, output: 'shown' }) }
}

async function runAll(): Promise<{ areChecksFine: boolean; total: Count }> {
  const checks = runSteps(staticSteps)
  const counts: Count[] = []
  for (const lanes of stages) {
    const runLane = async (groups: string[][], index: number) => {
      if (index > 0) await checks
      for (const group of groups)
        counts.push(await runGroup(group, { output: index === 0 ? 'shown' : 'kept' }))
    }
    await Promise.all(lanes.map(runLane))
  }
  return { areChecksFine: await checks, total: sum(counts) }
}

interface GroupRun {
  /** Without filters, the night is left out. */
  filters?: string[]
  /** Output is shown as it comes, or kept until the group ends where it would mix with another one. */
  output: 'shown' | 'kept'
}

/** Runs one group and counts what it reports; a run that breaks without a report is a failure too. */
async function runGroup(projects: string[], { filters, output }: GroupRun): Promise<Count> {
  const name = projects.join(' and ')
  const directory = mkdtempSync(join(tmpdir(), 'kinora-report-'))
  const file = join(directory, 'report.json')
  const isPlaywright = projects.includes('e2e')
  const env = filters ? {} : { WITHOUT_NIGHT: '1' }
  const startedAt = performance.now()
  console.log(`\n== ${name} tests${output === 'kept' ? ' begin; their output follows when they end' : ''}`)
  try {
    const status = isPlaywright
      ? await run('playwright', playwrightArgs(filters), output, {
          ...env,
          PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        })
      : await run('vitest', vitestArgs(projects, filters, file), output, env)
    console.log(`== ${name} tests took ${Math.round((performance.now() - startedAt) / 1000)} s`)
    const count = existsSync(file) ? read(file, isPlaywright) : sum([])
    if (status === 0 || count.failed > 0) return count
    return {
      ...count,
      failed: 1,
      failures: [`the ${name} tests ended with ${status}: an error outside of a test, above`],
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function vitestArgs(projects: string[], filters: string[] | undefined, report: string): string[] {
  const wanted = [...projects.flatMap((name) => ['--project', name]), ...(filters ?? []), '--passWithNoTests']
  return ['run', ...wanted, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
}

function playwrightArgs(filters: string[] = []): string[] {
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
