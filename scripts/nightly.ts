import { spawn } from 'node:child_process'
import { join } from 'node:path'

/**
 * `npm run test:nightly`: the suites that take too long for `npm test`, one after the other, each to its end. Names
 * select some of them: `npm run test:nightly -- fuzz cluster`. A suite that takes longer than its budget fails.
 */
interface Suite {
  /** `npm run test:<name>`. */
  name: string
  /** On two cores. */
  budgetMinutes: number
}

const suites: Suite[] = [
  { name: 'change', budgetMinutes: 20 },
  { name: 'e2e', budgetMinutes: 30 },
  { name: 'variants', budgetMinutes: 30 },
  { name: 'operations', budgetMinutes: 30 },
  { name: 'abuse', budgetMinutes: 30 },
  { name: 'drills', budgetMinutes: 20 },
  { name: 's3', budgetMinutes: 15 },
  { name: 'faults', budgetMinutes: 120 },
  { name: 'fuzz', budgetMinutes: 60 },
  { name: 'cluster', budgetMinutes: 60 },
  { name: 'image', budgetMinutes: 30 },
  { name: 'install', budgetMinutes: 60 },
  { name: 'browsers', budgetMinutes: 30 },
  { name: 'load', budgetMinutes: 30 },
  { name: 'chaos', budgetMinutes: 60 },
]

interface Result extends Suite {
  isPassed: boolean
  minutes: number
  /** Reasons why parts of it did not run. */
  skipped: string[]
}

const wanted = process.argv.slice(2)
const names = suites.map(({ name }) => name)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(', ')}: ${names.join(', ')}.`)
const isWanted = ({ name }: Suite) => wanted.length === 0 || wanted.includes(name)

const results: Result[] = []
for (const suite of suites.filter(isWanted)) results.push(await run(suite))

for (const { name, isPassed, minutes, budgetMinutes } of results) {
  const isLate = minutes > budgetMinutes
  const late = isLate ? `, over its budget of ${budgetMinutes} min` : ''
  console.log(`${isPassed && !isLate ? '✓' : '✗'} test:${name} (${minutes.toFixed(1)} min${late})`)
}
const notRun = [
  ...suites.filter((suite) => !isWanted(suite)).map(({ name }) => `test:${name}: not selected`),
  ...results.flatMap(({ name, skipped }) => skipped.map((reason) => `part of test:${name}: ${reason}`)),
]
console.log(notRun.length === 0 ? 'Everything ran.' : ['Did not run:', ...notRun].join('\n- '))
process.exitCode = results.every((each) => each.isPassed && each.minutes <= each.budgetMinutes) ? 0 : 1

/** Runs a suite, shows its output and collects the lines that say what it skips. */
async function run(suite: Suite): Promise<Result> {
  console.log(`\n== npm run test:${suite.name}`)
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', `test:${suite.name}`], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    from.on('data', (chunk: Buffer) => {
      to.write(chunk)
      output += chunk.toString('utf8')
    })
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  const skipped = new Set([...output.matchAll(/^Skipped: (.+)$/gm)].map(([, reason]) => String(reason)))
  const minutes = (performance.now() - startedAt) / 60_000
  return { ...suite, isPassed: code === 0, minutes, skipped: [...skipped] }
}
