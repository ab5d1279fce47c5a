import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Runs benchmarks: `npm run bench -- <name>` one, `npm run bench -- <name> <name>` several, `npm run bench` all. Results
 * are printed and written to `bench/results/`. Further arguments go to the benchmark, e.g. sizes of datasets:
 * `npm run bench -- list detail 1000`.
 */
const directory = join(import.meta.dirname, '../bench')
const known = globSync('*.bench.ts', { cwd: directory })
  .map((file) => basename(file, '.bench.ts'))
  .sort()
const given = process.argv.slice(2)
const namesCount = given.findIndex((each) => !known.includes(each))
const names = namesCount < 0 ? given : given.slice(0, namesCount)
const rest = given.slice(names.length)
const [name] = names

if (names.length === 0 && rest.length > 0) {
  console.log(`There is no bench ${rest[0]}; there are ${known.join(', ')}.`)
  process.exitCode = 1
} else if (name !== undefined && names.length === 1) {
  await import(join(directory, `${name}.bench.ts`))
} else {
  for (const each of names.length > 0 ? names : known) {
    console.log(`\n== ${each}`)
    // a process for each, so that they do not affect each other
    const { status } = spawnSync(process.execPath, [import.meta.filename, each, ...rest], {
      stdio: 'inherit',
    })
    if (status !== 0) process.exitCode = 1
  }
}
