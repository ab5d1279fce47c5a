import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assumptions, cases, cdnTables, simulate } from './cdn.ts'

/** Simulates the caches of a CDN for each case, and prints hit ratios and costs. */
console.log(assumptions)
const results = cases.map((changed) => simulate(changed))
writeFileSync(join(import.meta.dirname, 'results/cdn.json'), `${JSON.stringify(results, null, 2)}\n`)
console.log(cdnTables(results))
