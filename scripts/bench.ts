import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

/** `npm run bench <name>` asks one question; its answer is a table here and JSON in `bench/results/`. */
const directory = join(import.meta.dirname, '../bench')
const names = globSync('*.bench.ts', { cwd: directory }).map((file) => basename(file, '.bench.ts'))
const [name = ''] = process.argv.slice(2)

if (names.includes(name)) {
  await import(join(directory, `${name}.bench.ts`))
} else {
  console.log(
    `Say what to measure: npm run bench -- <name>, where <name> is one of ${names.sort().join(', ')}.`,
  )
  process.exitCode = 1
}
