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
    // what else the machine was doing: far above the cores, the durations say little and only the ratios hold
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
  const answer = { date: new Date().toISOString(), commit: commit.trim(), machine, facts, rows }
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(answer, null, 2)}\n`)
}

/** The best, the middle and the slow end of some durations in milliseconds; the best says most on a busy machine. */
function summarize(durations: number[]): { best: number; p50: number; p95: number } {
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 100) / 100
  return { best: at(0), p50: at(0.5), p95: at(0.95) }
}

/** Runs something `times` times, one after the other, after a few runs that do not count. */
export async function measure(times: number, run: (index: number) => Promise<unknown>) {
  for (let index = 0; index < Math.min(10, times); index += 1) await run(index)
  const durations: number[] = []
  for (let index = 0; index < times; index += 1) {
    const startedAt = performance.now()
    await run(index)
    durations.push(performance.now() - startedAt)
  }
  return summarize(durations)
}
