import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * `npm run test:nightly`: the suites that take too long for `npm test`, one after the other, each to its end. Names
 * select some of them: `npm run test:nightly -- fuzz cluster`.
 */
const suites = [
  'abuse',
  'drills',
  'kinds',
  'fuzz',
  'cluster',
  'image',
  'install',
  'browsers',
  'load',
  'chaos',
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !suites.includes(name))
if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(', ')}: ${suites.join(', ')}.`)

const results = suites
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .map((name) => {
    console.log(`\n== npm run test:${name}`)
    const startedAt = performance.now()
    const { status } = spawnSync('npm', ['run', '--silent', `test:${name}`], {
      cwd: join(import.meta.dirname, '..'),
      stdio: 'inherit',
    })
    return { name, isPassed: status === 0, minutes: Math.round((performance.now() - startedAt) / 60_000) }
  })

for (const { name, isPassed, minutes } of results)
  console.log(`${isPassed ? '✓' : '✗'} test:${name} (${minutes} min)`)
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1
