import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

export type Row = Record<string, string | number>

/** Prints a table and writes it to `bench/results/<name>.json` with the machine and the commit it was measured on. */
export function report(name: string, facts: Row, rows: Row[]): void {
  console.log(facts)
  console.table(rows)
  const directory = join(import.meta.dirname, 'results')
  mkdirSync(directory, { recursive: true })
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: directory, encoding: 'utf8' })
  const [cpu] = cpus()
  const machine = {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    // load average: far above the number of cores, only ratios are meaningful
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
  const file = { date: new Date().toISOString(), commit: commit.trim(), machine, facts, rows }
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(file, null, 2)}\n`)
}
