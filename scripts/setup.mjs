/**
 * Prepares a clone to run Kinora: Node 24, dependencies, ffmpeg, the built site. Plain JavaScript without dependencies,
 * because any Node from version 20.11 may run it. Takes milliseconds if nothing is missing.
 *
 *   node scripts/setup.mjs [--ffmpeg] [--site] [--browser] [--test-servers] [--object-store]
 *                          [--cluster-servers] [--lighthouse] [--other-browsers]
 *                          [--container-programs] [--machine-programs] [--voice-model]
 */
import './setup/node-version.mjs'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { ensureBrowser } from './setup/browser.mjs'
import { tryForClusterServers } from './setup/cluster-servers.mjs'
import { ensureContainerPrograms, ensureMachinePrograms } from './setup/container-programs.mjs'
import { ensureFfmpeg } from './setup/ffmpeg.mjs'
import { isInstalled } from './setup/installed.mjs'
import { ensureLighthouse } from './setup/lighthouse.mjs'
import { ensureNode } from './setup/node.mjs'
import { tryForObjectStore } from './setup/object-store.mjs'
import { ensureOtherBrowsers } from './setup/other-browsers.mjs'
import { tryForTestServers } from './setup/test-servers.mjs'
import { tryForVoiceModel } from './setup/voice-model.mjs'
import { alone, fingerprint, root, run, SetupError, step } from './setup/steps.mjs'

const localNode = join(root, 'node_modules/.bin/node')

async function setup(wanted) {
  const node = await ensureNode()
  await ensureDependencies(node)
  if (wanted.has('--ffmpeg')) await ensureFfmpeg()
  if (wanted.has('--site')) await ensureSite()
  if (wanted.has('--browser')) await ensureBrowser()
  if (wanted.has('--lighthouse')) await ensureLighthouse()
  if (wanted.has('--test-servers')) await tryForTestServers()
  if (wanted.has('--object-store')) await tryForObjectStore()
  if (wanted.has('--cluster-servers')) await tryForClusterServers()
  if (wanted.has('--other-browsers')) await ensureOtherBrowsers()
  if (wanted.has('--container-programs')) await ensureContainerPrograms()
  if (wanted.has('--machine-programs')) await ensureMachinePrograms()
  if (wanted.has('--voice-model')) await tryForVoiceModel()
}

/** `npm ci` when the lock file changed since the last one; afterwards every `npm run` uses the right Node. */
async function ensureDependencies(node) {
  const stamp = join(root, 'node_modules/.kinora-installed')
  const workspaces = [
    '.',
    'client',
    'contract',
    'importers',
    'live',
    'media',
    'platform',
    'server',
    'web',
  ].map((name) => `${name}/package.json`)
  const wanted = fingerprint(['package-lock.json', ...workspaces])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(localNode)) return
  await step('Installing the dependencies', async () => {
    if (!isInstalled(root)) await install(node)
    rmSync(localNode, { force: true })
    const isOurs = node.startsWith(root)
    symlinkSync(isOurs ? relative(dirname(localNode), node) : node, localNode)
    await run([node, 'platform/src/db/embedded/binaries.ts'])
    writeFileSync(stamp, wanted)
  })
}

async function install(node) {
  const env = { PATH: dirname(node) + delimiter + process.env.PATH }
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [node, process.env.npm_execpath] : ['npm']
  // the build needs development dependencies, also with NODE_ENV=production
  await run([...npm, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], env)
}

/** Builds the pages and the server when one of their sources changed. */
async function ensureSite() {
  await build('Building the site', {
    stamp: '.tooling/site-built',
    sources: [
      'web/src',
      'web/public',
      'web/index.html',
      'web/vite.config.ts',
      'web/skeleton-build.ts',
      'web/service-worker-build.ts',
      'contract/src',
      'package-lock.json',
    ],
    result: 'web/dist/index.html',
    command: ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel=warn'],
  })
  await build('Building the server', {
    stamp: '.tooling/server-built',
    sources: [
      'server/src',
      'server/rolldown.config.mjs',
      'contract/src',
      'media/src',
      'platform/src',
      'package-lock.json',
    ],
    result: 'server/dist/supervisor.js',
    command: ['node_modules/rolldown/bin/cli.mjs', '-c', 'server/rolldown.config.mjs'],
  })
}

async function build(title, { stamp, sources, result, command }) {
  const wanted = fingerprint(sources)
  const file = join(root, stamp)
  if (existsSync(join(root, result)) && existsSync(file) && readFileSync(file, 'utf8') === wanted) return
  await step(title, async () => {
    await run([localNode, ...command])
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, wanted)
  })
}

alone(() => setup(new Set(process.argv.slice(2)))).catch((error) => {
  console.error(error instanceof SetupError ? `\n${error.message}` : error)
  process.exit(1)
})
