import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from './faults-list.ts'

test.each(faults)('the fault of $name applies to the source', ({ file, from }) => {
  expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).toContain(from)
})
