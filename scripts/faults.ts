import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { faults, type Fault } from './faults-list.ts'

/**
 * The honest measure of the tests: puts one deliberate fault at a time into a copy of the source, runs the tests that are
 * responsible for it, and prints whether they fail. Names select some: `npm run test:faults -- likes quota`. With
 * `--at <commit>`, measures another commit, with `--all` also by the tests of the night.
 */
const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { at: { type: 'string', default: 'HEAD' }, all: { type: 'boolean', default: false } },
})

const names = faults.map(({ name }) => name)
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}: ${names.join(', ')}.`)
const wanted = faults.filter(({ name }) => positionals.length === 0 || positionals.includes(name))

const git = (...args: string[]) => {
  const { status, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
}

const parent = mkdtempSync(join(tmpdir(), 'kinora-faults-'))
const tree = join(parent, 'tree')
git('worktree', 'add', '--detach', tree, values.at)
/** Programs run with the Node that runs this one. */
const env = {
  ...process.env,
  PATH: [join(tree, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  ...(values.all ? {} : { WITHOUT_NIGHT: '1' }),
}

const results: { name: string; outcome: string }[] = []
try {
  for (const name of ['', 'client', 'contract', 'importers', 'live', 'media', 'platform', 'server', 'web'])
    if (existsSync(join(root, name, 'node_modules'))) copyModules(name)
  // without the built site, tests of its pages fail by themselves
  for (const folder of ['.tooling', 'web/dist'])
    cpSync(join(root, folder), join(tree, folder), { recursive: true, verbatimSymlinks: true })
  for (const fault of wanted) {
    const startedAt = performance.now()
    const outcome = measure(fault)
    results.push({ name: fault.name, outcome })
    console.log(`${fault.name}: ${outcome} (${Math.round((performance.now() - startedAt) / 1000)} s)`)
  }
} finally {
  git('worktree', 'remove', '--force', tree)
  rmSync(parent, { recursive: true, force: true })
}
const found = results.filter(({ outcome }) => outcome.startsWith('found')).length
console.log(`${found} of ${results.length} faults found`)
process.exitCode = found === results.length ? 0 : 1

/** Copies what is installed, as links where it can: packages of the workspaces are found relative to it. */
function copyModules(workspace: string): void {
  const paths = [join(root, workspace, 'node_modules'), join(tree, workspace)]
  if (spawnSync('cp', ['-al', ...paths]).status !== 0) spawnSync('cp', ['-a', ...paths])
}

function measure({ file, from, to, tests }: Fault): string {
  const path = join(tree, file)
  const source = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (!source.includes(from)) return `does not apply: ${file} has no "${from}". Choose another edit.`
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  try {
    for (const [group, ...filters] of tests) {
      const failure = findFailure(group, filters)
      if (failure !== undefined) return `found by ${failure}`
    }
    return 'NOT FOUND'
  } finally {
    writeFileSync(path, source)
  }
}

/** Runs the files of a group whose path contains a filter. Returns the name of a test that failed. */
function findFailure(group: string, filters: string[]): string | undefined {
  if (group === 'e2e') run('vite', ['build', 'web', '--logLevel=warn'], 'must pass')
  const output =
    group === 'e2e'
      ? run('playwright', ['test', '--max-failures=1', '--reporter=line', ...filters])
      : run('vitest', ['run', '--bail=1', '--reporter=tap-flat', '--project', group, ...filters])
  if (output === undefined) return undefined
  const failed = /^not ok \d+ - (.+?) # time/m.exec(output) ?? /^ +1\) (.+)$/m.exec(output)
  if (!failed)
    throw new Error(`The ${group} tests of ${filters.join(', ')} did not run: ${output.slice(-3000)}`)
  return failed[1]
}

/** Runs a program in the tree. Returns its output if it failed. */
function run(program: string, args: string[], mustPass?: 'must pass'): string | undefined {
  const { status, stdout, stderr } = spawnSync(join(tree, 'node_modules/.bin', program), args, {
    cwd: tree,
    encoding: 'utf8',
    env,
    maxBuffer: 1024 ** 3,
  })
  if (status === 0) return undefined
  const output = stripVTControlCharacters(stdout + stderr)
  if (mustPass) throw new Error(`${program} failed: ${output}`)
  return output
}
