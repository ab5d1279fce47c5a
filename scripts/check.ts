import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

interface Step {
  name: string
  /** Its output is shown also when it succeeds. */
  isReport?: boolean
  command: string
  args: string[]
}

/** Results for unchanged files are kept, so that a repeated check reads only the others again. */
const cache = (name: string) => join(root, '.tooling/checks', name)

const types = (name: string, project: string): Step => ({
  name,
  command: bin('tsc'),
  args: [
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    cache(`${name.replaceAll(' ', '-')}.tsbuildinfo`),
  ],
})

/** Static checks. Unit tests are not included, because `npm test` runs them with the others. */
export const staticSteps: Step[] = [
  {
    name: 'format',
    command: bin('prettier'),
    args: [
      '--check',
      '--log-level=warn',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${cache('prettier')}`,
      '.',
    ],
  },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware'] },
  types('types', 'tsconfig.json'),
  types('types of web', 'web/tsconfig.json'),
  types('types of e2e', 'e2e/tsconfig.json'),
  {
    name: 'unused',
    command: bin('knip'),
    args: ['--no-progress'],
  },
  {
    name: 'words',
    command: bin('cspell'),
    args: [
      '--no-progress',
      '--no-summary',
      '--gitignore',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${cache('cspell')}`,
      '.',
    ],
  },
  {
    name: 'imports',
    command: bin('depcruise'),
    args: ['contract/src', 'media/src', 'platform/src', 'server/src', 'web/src'],
  },
  {
    name: 'structure',
    isReport: true,
    command: process.execPath,
    args: ['scripts/check-structure.ts'],
  },
  { name: 'script size', command: process.execPath, args: ['scripts/script-size.ts'] },
  { name: 'endpoints', command: process.execPath, args: ['scripts/endpoints.ts', '--check'] },
  { name: 'errors', command: process.execPath, args: ['scripts/errors.ts', '--check'] },
  { name: 'settings', command: process.execPath, args: ['scripts/settings.ts', '--check'] },
  { name: 'messages', isReport: true, command: process.execPath, args: ['scripts/messages.ts', '--check'] },
  { name: 'data model', command: process.execPath, args: ['scripts/data-model.ts', '--check'] },
  {
    name: 'lock file',
    command: 'npm',
    args: ['ci', '--dry-run', '--offline', '--ignore-scripts', '--loglevel=error'],
  },
]

const unit: Step = { name: 'unit tests', command: bin('vitest'), args: ['run', '--project', 'unit'] }

/** Runs steps concurrently and prints each result. Returns whether all passed. */
export async function runSteps(wanted: Step[]): Promise<boolean> {
  const results = await Promise.all(wanted.map(report))
  return results.every(Boolean)
}

async function report(step: Step): Promise<boolean> {
  const startedAt = performance.now()
  const { code, output } = await run(step)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${step.name} (${seconds} s)`)
  if (code !== 0) console.log(indent(output || `${step.command} ended with ${code}`))
  else if (step.isReport && output) console.log(indent(output))
  return code === 0
}

function run({ command, args }: Step): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += String(chunk)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ')
}

if (import.meta.main) {
  if (!existsSync(bin('vitest')))
    throw new Error('Nothing is installed yet: run `npm run check`, not this file')
  process.exitCode = (await runSteps([...staticSteps, unit])) ? 0 : 1
}
