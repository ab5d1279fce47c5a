import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromiumPath } from '../scripts/chromium-path.ts'
import type { Row } from './report.ts'

const root = join(import.meta.dirname, '..')
const program = join(root, '.tooling/lighthouse/node_modules/lighthouse/cli/index.js')
const categories = ['performance', 'accessibility', 'best-practices', 'seo']

/** The parts of Lighthouse's report that are read here. */
interface Report {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number }>
}

/**
 * Runs Lighthouse with its mobile profile and returns the four scores and timings of the run with the median performance
 * score.
 */
export async function auditPage(name: string, url: string, runs: number, cookie?: string): Promise<Row> {
  // Idempotent, and only here: it is larger than everything else that is installed.
  execFileSync(process.execPath, [join(root, 'scripts/setup.mjs'), '--lighthouse'], { stdio: 'inherit' })
  const reports: Report[] = []
  for (let run = 0; run < runs; run += 1) {
    // occasionally the trace is incomplete, and Lighthouse asks to run again
    reports.push(await runLighthouse(url, cookie).catch(() => runLighthouse(url, cookie)))
  }
  const score = (report: Report, category: string) =>
    Math.round((report.categories[category]?.score ?? Number.NaN) * 100)
  const middle = reports.toSorted((a, b) => score(a, 'performance') - score(b, 'performance'))[runs >> 1]
  if (!middle) throw new Error('At least one run is needed')
  const milliseconds = (audit: string) => Math.round(middle.audits[audit]?.numericValue ?? Number.NaN)
  return {
    page: name,
    ...Object.fromEntries(categories.map((category) => [category, score(middle, category)])),
    'first paint, ms': milliseconds('first-contentful-paint'),
    'largest paint, ms': milliseconds('largest-contentful-paint'),
    'blocked, ms': milliseconds('total-blocking-time'),
    'performance of all runs': reports.map((report) => score(report, 'performance')).join(' '),
  }
}

async function runLighthouse(url: string, cookie: string | undefined): Promise<Report> {
  const directory = mkdtempSync(join(tmpdir(), 'kinora-lighthouse-'))
  const file = join(directory, 'report.json')
  try {
    await promisify(execFile)(
      process.execPath,
      [
        program,
        url,
        '--quiet',
        '--output=json',
        `--output-path=${file}`,
        `--only-categories=${categories.join(',')}`,
        '--chrome-flags=--headless=new --no-sandbox',
        ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
      ],
      { env: { ...process.env, CHROME_PATH: chromiumPath() } },
    )
    // Lighthouse's own format, of which little is read.
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    if (report.runtimeError) throw new Error(`Lighthouse on ${url}: ${report.runtimeError.message}`)
    return report
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
