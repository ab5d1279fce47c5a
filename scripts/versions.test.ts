import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const { version, workspaces }: { version: string; workspaces: string[] } = JSON.parse(read('package.json'))

test('every file that names the version of Kinora names that of package.json', () => {
  const packages = workspaces.map((name) => JSON.parse(read(`${name}/package.json`)))
  const named = packages.flatMap(({ version: own, dependencies = {} }) => [
    own,
    ...['@kinora/contract'].flatMap((name) => dependencies[name] ?? []),
  ])
  const lock = JSON.parse(read('package-lock.json'))
  named.push(lock.version, ...['', ...workspaces].map((path) => lock.packages[path].version))
  named.push(/newTag: (.*)/.exec(read('packaging/kubernetes/kustomization.yaml'))?.[1])
  expect(new Set(named)).toEqual(new Set([version]))
})

test('the changelog has the version', () => {
  expect(read('CHANGELOG.md')).toContain(`\n## [${version}]`)
})
