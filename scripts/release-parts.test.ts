import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { expect, test } from 'vitest'
import { isReleased, parts } from './release-parts.ts'

const root = join(import.meta.dirname, '..')

/** Whether a release has a file, and the folders that it is in. */
function hasFile(file: string): boolean {
  const folders = file.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'))
  return folders.every(isReleased) && parts.some((part) => folders.includes(part))
}

/** The TypeScript files that a file of the repository names: imports, and programs that it starts. */
function namedIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const own = [...text.matchAll(/'(\.{1,2}\/[\w./-]+\.ts)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
  const others = [...text.matchAll(/'@kinora\/(\w+)\/([\w./-]+\.ts)'/g)].map(
    ([, workspace = '', path = '']) => `${workspace}/src/${path}`,
  )
  return [...own, ...others].filter((path) => existsSync(join(root, path)))
}

/** The TypeScript files that are loaded with a file of the repository: its imports, without those of types and `import()`. */
function loadedBy(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const statements = text.matchAll(/^(?:import|export) (?!type )[^'"]*'([^']+)'/gm)
  const paths = [...statements].map(([, path = '']) =>
    path.startsWith('.')
      ? normalize(join(dirname(file), path))
      : path.replace(/^@kinora\/(\w+)\//, '$1/src/'),
  )
  return paths.filter((path) => path.endsWith('.ts') && existsSync(join(root, path)))
}

test('the programs of a release use nothing that it lacks, such as tests, benches and chaos', () => {
  const programs = globSync('server/src/bin/*.ts', { cwd: root })
  const reached = new Set(programs)
  const missing: string[] = []
  for (const file of reached)
    for (const named of namedIn(file)) {
      if (hasFile(named)) reached.add(named)
      else missing.push(`${relative('.', file)}: ${named}`)
    }
  expect(programs.length).toBeGreaterThan(3)
  expect(reached.size).toBeGreaterThan(400)
  expect(missing).toEqual([])
})

test('no program loads the importers before something is imported', () => {
  const programs = globSync('server/src/bin/{migrate,supervisor,web,worker}.ts', { cwd: root })
  const reached = new Set(programs)
  for (const file of reached) for (const named of loadedBy(file)) reached.add(named)
  expect(reached.size).toBeGreaterThan(400)
  expect(reached).toContain('server/src/features/portability/account-imports/jobs.ts')
  expect([...reached].filter((file) => file.startsWith('importers/'))).toEqual([])
})

test.each(['bench/list.bench.ts', 'chaos/chaos.ts', 'e2e/screenshots.ts', 'server/src/testing/flood.ts'])(
  'a release does not have %s',
  (file) => {
    expect([existsSync(join(root, file)), hasFile(file)]).toEqual([true, false])
  },
)
