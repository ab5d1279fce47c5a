import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')

/** Short names of test files, as "Short names: **attacks** is `platform/…`" defines them. */
const shortNames = new Map(
  [...page.matchAll(/\*\*(\w+)\*\*(?: is)?\s+`([\w/.-]+\.test\.ts)`/g)].map(([, name, file]) => [name, file]),
)

/** A reference to a test file, with the part of a title if it names one: "**attacks**: a polyglot file". */
const reference = /(?:\*\*(\w+)\*\*|`([\w/.-]+\.(?:test|e2e)\.ts)`)(?:: ([^;|]+))?/g

const references = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => [...line.matchAll(reference)])
  .map(([, short, file, title]) => ({
    file: file ?? shortNames.get(short) ?? String(short),
    // a further file of the same cell begins after a comma
    title: title?.replace(/, [`*].*/, '').trim(),
  }))

test('every test that docs/security.md names exists', () => {
  const missing = references.filter(({ file, title }) => {
    const path = ['server/src', '.'].map((folder) => join(root, folder, file)).find(existsSync)
    return path === undefined || (title !== undefined && !readFileSync(path, 'utf8').includes(title))
  })
  expect(references.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

test('what holds names its test or document, or admits that it has none', () => {
  const rows = page.split('\n').filter((line) => /^\| [\d., -]+\|[^|]*\| yes +\|/.test(line))
  const silent = rows.filter((row) => !row.match(reference) && !/no test of its own|\]\(/.test(row))
  expect(rows.length).toBeGreaterThan(80)
  expect(silent).toEqual([])
})
