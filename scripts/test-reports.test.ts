import { expect, test } from 'vitest'
import { countPlaywright, countVitest, sum } from './test-reports.ts'

test('a file that breaks before its first test counts as a failure', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
      {
        name: 'b.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'adds', status: 'failed', failureMessages: ['expected 2'] },
          { fullName: 'subtracts', status: 'passed', failureMessages: [] },
        ],
      },
    ],
  }
  expect(countVitest(report)).toEqual({
    passed: 3,
    failed: 2,
    skipped: 2,
    failures: ['b.test.ts: adds\nexpected 2', 'a.test.ts\nNo such module'],
  })
})

test('failures of nested suites and errors outside of tests are failures of Playwright', () => {
  const failing = {
    title: 'plays',
    file: 'watch.e2e.ts',
    line: 7,
    tests: [{ status: 'unexpected', results: [{ errors: [{ message: 'Timed out' }] }] }],
  }
  const passing = { ...failing, tests: [{ status: 'expected', results: [{}] }] }
  const report = {
    suites: [{ specs: [passing], suites: [{ specs: [failing] }] }],
    errors: [{ message: 'No such module' }],
    stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 2 },
  }
  expect(countPlaywright(report)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 2,
    failures: ['e2e/watch.e2e.ts:7: plays\nTimed out', 'No such module'],
  })
})

test('counts add up', () => {
  const count = { passed: 1, failed: 1, skipped: 0, failures: ['a'] }
  expect(sum([count, count])).toEqual({ passed: 2, failed: 2, skipped: 0, failures: ['a', 'a'] })
})
