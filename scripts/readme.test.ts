import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test.each([...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path))(
  'the README links to %s',
  (path) => {
    expect(existsSync(join(root, path))).toBe(true)
  },
)
