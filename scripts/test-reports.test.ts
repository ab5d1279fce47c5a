import { expect, test } from 'vitest'
import { countPlaywright, countVitest, slowest, sum } from './test-reports.ts'

test('a file that breaks before its first test counts as a failure', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
      {
        name: '/kinora/server/src/b.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'adds', status: 'failed', tags: [], failureMessages: ['expected 2'], duration: 1500 },
          { fullName: 'subtracts', status: 'passed', tags: [], failureMessages: [] },
          { fullName: 'divides', status: 'skipped', tags: ['nightly'], failureMessages: [] },
        ],
      },
    ],
  }
  expect(countVitest(report)).toEqual({
    passed: 3,
    failed: 2,
    skipped: 2,
    failures: ['/kinora/server/src/b.test.ts: adds\nexpected 2', 'a.test.ts\nNo such module'],
    times: [
      { name: 'server/src/b.test.ts: adds', seconds: 1.5 },
      { name: 'server/src/b.test.ts: subtracts', seconds: 0 },
      { name: 'server/src/b.test.ts: divides', seconds: 0 },
    ],
  })
})

test('failures of nested suites and errors outside of tests are failures of Playwright', () => {
  const failing = {
    title: 'plays',
    file: 'watch.e2e.ts',
    line: 7,
    tests: [{ status: 'unexpected', results: [{ duration: 2000, errors: [{ message: 'Timed out' }] }] }],
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
    times: [
      { name: 'e2e/watch.e2e.ts:7: plays', seconds: 0 },
      { name: 'e2e/watch.e2e.ts:7: plays', seconds: 2 },
    ],
  })
})

test('counts add up', () => {
  const count = { passed: 1, failed: 1, skipped: 0, failures: ['a'], times: [{ name: 'a', seconds: 1 }] }
  expect(sum([count, count])).toEqual({
    passed: 2,
    failed: 2,
    skipped: 0,
    failures: ['a', 'a'],
    times: [...count.times, ...count.times],
  })
})

test('the slowest tests come first', () => {
  const times = Array.from({ length: 12 }, (_, seconds) => ({ name: `${seconds}`, seconds }))
  const names = slowest({ ...sum([]), times }).map(({ name }) => name)
  expect(names).toEqual(['11', '10', '9', '8', '7', '6', '5', '4', '3', '2'])
})
