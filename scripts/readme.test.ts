import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../server/src/config.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

const settings = readFileSync(join(root, 'server/src/config.ts'), 'utf8')
/** The rows of the table of settings: their names, and their defaults as far as they are literal. */
const rows = readme
  .split('\n')
  .filter((line) => /^\| `[A-Z]/.test(line))
  .map((line) => {
    const [, names = '', defaults = ''] = line.split('|')
    return { names: quoted(names), defaults: quoted(defaults) }
  })

test.each(rows.flatMap(({ names }) => names))('the README knows a setting that exists: %s', (name) => {
  expect(settings).toContain(`  ${name}: `)
})

test('the README knows every setting', () => {
  const keys = [...settings.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, key = '']) => key)
  expect(keys).toContain('PORT')
  expect(rows.flatMap(({ names }) => names).toSorted()).toEqual(keys.toSorted())
})

test.each(
  rows
    .filter(({ names, defaults }) => names.length === defaults.length)
    .flatMap(({ names, defaults }) => names.map((name, index) => [name, defaults[index] ?? ''])),
)('the README knows the default of %s: %s', (name, value) => {
  expect(readConfig({ [name]: value })).toEqual(readConfig({}))
})

test.each([...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path))(
  'the README links to %s',
  (path) => {
    expect(existsSync(join(root, path))).toBe(true)
  },
)

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
}
