import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * `npm run bench -- <name>` asks one question, `npm run bench` all of them in turn; the answers are tables here and JSON
 * in `bench/results/`. What stands behind a name goes to the bench, e.g. sizes of worlds: `npm run bench -- list 1000`.
 */
const directory = join(import.meta.dirname, '../bench')
const names = globSync('*.bench.ts', { cwd: directory })
  .map((file) => basename(file, '.bench.ts'))
  .sort()
const [name] = process.argv.slice(2)

if (name === undefined) {
  for (const each of names) {
    console.log(`\n== ${each}`)
    // a process for each, so that none measures what another has left
    const { status } = spawnSync(process.execPath, [import.meta.filename, each], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
} else if (names.includes(name)) {
  await import(join(directory, `${name}.bench.ts`))
} else {
  console.log(`There is no bench ${name}; there are ${names.join(', ')}.`)
  process.exitCode = 1
}
