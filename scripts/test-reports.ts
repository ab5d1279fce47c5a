/** Results of a test run. */
export interface Count {
  passed: number
  failed: number
  skipped: number
  /** Names of failed tests, with their errors. */
  failures: string[]
  times: TestTime[]
}

interface TestTime {
  name: string
  seconds: number
}

/** The part of the report of Vitest's JSON reporter that is read here. */
export interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: {
      fullName: string
      status: string
      tags: string[]
      failureMessages: string[]
      /** In milliseconds; none of a test that did not run. */
      duration?: number | null
    }[]
  }[]
}

/** The part of the report of Playwright's JSON reporter that is read here. */
export interface PlaywrightReport {
  suites?: Suite[]
  /** Errors outside of tests, such as a file that does not load. */
  errors: { message?: string }[]
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

interface Suite {
  suites?: Suite[]
  specs?: {
    title: string
    file: string
    line: number
    tests: { status: string; results: { duration?: number; errors?: { message?: string }[] }[] }[]
  }[]
}

/** Counts the tests of a report of Vitest. */
export function countVitest(report: VitestReport): Count {
  // Each time, `npm test` leaves out the tests of the night; the others say why they are skipped.
  const ofNight = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags }) => status === 'skipped' && tags.includes('nightly'))
  // A file that broke before its first test has no test that could count as failed.
  const broken = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  )
  const failedTests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join('\n')}`),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests - ofNight.length,
    failures: [...failedTests, ...broken.map(({ name, message }) => `${name}\n${message}`)],
    times: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        name: `${name.replace(/^.*?\/(?=(?:bench|contract|scripts|server|web)\/)/, '')}: ${fullName}`,
        seconds: (duration ?? 0) / 1000,
      })),
    ),
  }
}

/** Counts the tests of a report of Playwright Test. */
export function countPlaywright({ suites = [], errors, stats }: PlaywrightReport): Count {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [
      ...suites.flatMap(failuresOf),
      ...errors.map(({ message }) => message ?? 'an error without a message'),
    ],
    times: suites.flatMap(timesOf),
  }
}

function failuresOf({ suites = [], specs = [] }: Suite): string[] {
  const failed = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const messages = results.flatMap(({ errors = [] }) => errors.map(({ message }) => message))
        return `e2e/${file}:${line}: ${title}\n${messages.join('\n')}`
      }),
  )
  return [...failed, ...suites.flatMap(failuresOf)]
}

function timesOf({ suites = [], specs = [] }: Suite): TestTime[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests.map(({ results }) => ({
      name: `e2e/${file}:${line}: ${title}`,
      seconds: results.reduce((total, { duration = 0 }) => total + duration, 0) / 1000,
    })),
  )
  return [...own, ...suites.flatMap(timesOf)]
}

/** The ten tests that took longest. */
export function slowest({ times }: Count): TestTime[] {
  return times.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
}

/** Adds up counts. */
export function sum(counts: Count[]): Count {
  const add = (key: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[key], 0)
  return {
    passed: add('passed'),
    failed: add('failed'),
    skipped: add('skipped'),
    failures: counts.flatMap(({ failures }) => failures),
    times: counts.flatMap(({ times }) => times),
  }
}
