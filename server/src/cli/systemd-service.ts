import { execFile } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { type Result, UsageError } from './command.ts'

export interface ServiceOptions {
  /** Root of another system, such as an image. */
  root?: string
  /** Origin of the site for its visitors. */
  url?: string
  dryRun: boolean
  start: boolean
}

/** One thing to do, and the sentence about it. */
interface Step {
  text: string
  run: () => Promise<unknown>
}

interface File {
  path: string
  text: string
  mode: number
}

const program = path.join(import.meta.dirname, '../../..')
const packaging = path.join(program, 'packaging')
const templates = readdirSync(path.join(packaging, 'systemd'))
const declarations = ['sysusers', 'tmpfiles']

/**
 * Installs units, user, directories and the file of settings, and starts the given units: by default those that are enabled,
 * at first `kinora`. A repetition changes only what is outdated. Throws StartupError without root or systemd, or when a program fails.
 */
export async function installService(
  wanted: readonly string[],
  { root = '/', url, dryRun, start }: ServiceOptions,
): Promise<Result> {
  for (const unit of wanted) {
    if (!/^kinora(-(web|worker|ingest)@\d{1,5})?$/.test(unit))
      throw new UsageError(
        `There is no unit ${unit}: name kinora, kinora-web@PORT, kinora-worker@PORT or kinora-ingest@PORT.`,
      )
  }
  assertPossible(root, dryRun)
  const present = wanted.length > 0 ? wanted : enabledIn(root)
  const enabled = present.length > 0 ? present : ['kinora']
  const outdated = listFiles(root, url).filter((file) => textOf(file.path) !== file.text)
  const inRoot = root === '/' ? [] : [`--root=${root}`]
  const steps = [
    ...outdated.map(write),
    execute('systemd-sysusers', ...inRoot, 'kinora.conf'),
    execute('systemd-tmpfiles', ...inRoot, '--create', 'kinora.conf'),
    execute('systemctl', ...inRoot, 'enable', ...enabled),
  ]
  if (root === '/') {
    steps.push(execute('systemctl', 'daemon-reload'))
    if (start) steps.push(execute('systemctl', outdated.length > 0 ? 'restart' : 'start', ...enabled))
  }
  return perform(steps, dryRun, [
    `The service is installed: ${enabled.join(', ')}. Its settings are in /etc/kinora.env.`,
    'The log of the first start has the link that makes you the administrator: journalctl -u kinora',
  ])
}

/** Stops the service and removes what `installService` wrote, except for data, settings and the user. */
export async function uninstallService({
  root = '/',
  dryRun,
}: Pick<ServiceOptions, 'root' | 'dryRun'>): Promise<Result> {
  assertPossible(root, dryRun)
  const enabled = enabledIn(root)
  const files = [...unitsOf(root), ...declarationsOf(root), commandOf(root)].filter((file) =>
    existsSync(file.path),
  )
  const steps: Step[] = []
  if (enabled.length > 0)
    steps.push(
      execute(
        'systemctl',
        ...(root === '/' ? ['disable', '--now'] : [`--root=${root}`, 'disable']),
        ...enabled,
      ),
    )
  for (const file of files) steps.push({ text: `remove ${file.path}`, run: () => rm(file.path) })
  if (steps.length > 0 && root === '/') steps.push(execute('systemctl', 'daemon-reload'))
  return perform(steps, dryRun, [
    steps.length > 0 ? 'The service is removed.' : 'There is no service to remove.',
    'The user kinora, /etc/kinora.env and /var/lib/kinora-data stay.',
  ])
}

/** The names of the enabled units, without `.service`. */
const enabledIn = (root: string): string[] =>
  globSync('etc/systemd/system/*.wants/kinora{,-web@*,-worker@*,-ingest@*}.service', { cwd: root })
    .map((link) => path.basename(link, '.service'))
    .toSorted()

function assertPossible(root: string, dryRun: boolean): void {
  if (process.platform !== 'linux' || (root === '/' && !existsSync('/run/systemd/system')))
    throw new StartupError(
      'systemd does not run on this machine. Use `npm start` or a container: docs/operations/containers.md.',
    )
  if (!dryRun && process.getuid?.() !== 0)
    throw new StartupError('Only root can change services. Run the command with `sudo`, or add --dry-run.')
  if (root === '/' && /^\/(home|root|run|tmp|var\/tmp)\/|[\s%"'\\$]/.test(programIn(root)))
    throw new StartupError(
      `The service cannot run a program in ${programIn(root)}. Move Kinora to a directory such as /opt/kinora.`,
    )
}

/** Directory of this program for a system with the given root. */
function programIn(root: string): string {
  const inside = path.relative(root, program)
  return inside.startsWith('..') ? program : path.join('/', inside)
}

const listFiles = (root: string, url: string | undefined): File[] => [
  ...unitsOf(root),
  ...declarationsOf(root),
  commandOf(root),
  { path: path.join(root, 'etc/kinora.env'), text: settingsOf(root, url), mode: 0o600 },
]

const unitsOf = (root: string): File[] =>
  templates.map((name) => ({
    path: path.join(root, 'etc/systemd/system', name),
    text: templateOf(`systemd/${name}`, root),
    mode: 0o644,
  }))

/** The command `kinora`, which runs with the settings and the user of the service. */
const commandOf = (root: string): File => ({
  path: path.join(root, 'usr/local/bin/kinora'),
  text: templateOf('kinora.sh', root),
  mode: 0o755,
})

const templateOf = (name: string, root: string): string =>
  textOf(path.join(packaging, name)).replaceAll('/opt/kinora', programIn(root))

const declarationsOf = (root: string): File[] =>
  declarations.map((kind) => ({
    path: path.join(root, `etc/${kind}.d/kinora.conf`),
    text: textOf(path.join(packaging, `${kind}.conf`)),
    mode: 0o644,
  }))

/** The existing settings, or those of a new site, with the given address. */
function settingsOf(root: string, url: string | undefined): string {
  const text = textOf(path.join(root, 'etc/kinora.env')) || textOf(path.join(packaging, 'kinora.env'))
  if (url === undefined) return text
  const line = `PUBLIC_URL=${url}`
  return /^PUBLIC_URL=/m.test(text) ? text.replace(/^PUBLIC_URL=.*$/m, line) : `${text.trimEnd()}\n${line}\n`
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const write = ({ path: file, text, mode }: File): Step => ({
  text: `write ${file}`,
  async run() {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text, { mode })
    await chmod(file, mode)
  },
})

const execute = (command: string, ...args: string[]): Step => ({
  text: `run ${command} ${args.join(' ')}`,
  run: () =>
    promisify(execFile)(command, args).catch((error: Error & { stderr?: string }) => {
      const reason = error.stderr?.trim() || error.message
      throw new StartupError(`${command} ${args.join(' ')} failed: ${reason}`, { cause: error })
    }),
})

/** Carries out the steps in order, or only lists them. */
async function perform(steps: readonly Step[], dryRun: boolean, closing: readonly string[]): Promise<Result> {
  const texts = steps.map(({ text }) => text)
  if (dryRun)
    return { text: ['It would', ...texts.map((text) => `  ${text}`)].join('\n'), value: { steps: texts } }
  for (const step of steps) await step.run()
  return { text: [...texts, ...closing].join('\n'), value: { steps: texts } }
}
