import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { proportionalMemoryMb } from './processes.ts'
import { startProduct } from './product.ts'
import { report, type Row } from './report.ts'

/** Start time of an existing site, and its memory while idle. */
const directory = mkdtempSync(join(tmpdir(), 'kinora-start-'))
try {
  const rows: Row[] = []
  for (const start of ['the first, which makes the database', 'the second', 'the third', 'the fourth']) {
    const bareMs = duration(() => execFileSync(process.execPath, ['-e', '0']))
    const product = await startProduct({}, directory)
    // until the work after a start is done
    await delay(8000)
    const { supervisor, web, worker } = product.pids
    const [supervisorMb, webMb, workerMb] = [supervisor, web, worker].map(proportionalMemoryMb)
    rows.push({
      start,
      'ready, ms': Math.round(product.readyMs),
      'bare Node, ms': Math.round(bareMs),
      'web, MB PSS': webMb ?? Number.NaN,
      'worker, MB PSS': workerMb ?? Number.NaN,
      'together, MB': (webMb ?? Number.NaN) + (workerMb ?? Number.NaN),
      'supervisor, MB PSS': supervisorMb ?? Number.NaN,
    })
    await product.stop()
  }
  report('start', {}, rows)
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function duration(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}
