import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export const root = join(import.meta.dirname, '../..')

/** A problem that the user must fix; printed without a stack trace. */
export class SetupError extends Error {}

/** Runs the action under the lock of this clone's set-up. A stale lock is ignored. */
export async function alone(action) {
  const file = join(root, '.tooling/setup.lock')
  for (let isFirst = true; ; isFirst = false) {
    try {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      // the clone of another user, where everything is installed
      if (error.code === 'EACCES' || error.code === 'EROFS') return action()
      if (error.code !== 'EEXIST') throw error
      if (isFirst) console.log('Waiting for another set-up of this clone ...')
      if (isHeld(file)) await delay(200)
      else rmSync(file, { force: true })
    }
  }
  try {
    return await action()
  } finally {
    rmSync(file, { force: true })
  }
}

/** Prints the name of a step, and its duration at the end. */
export async function step(title, action) {
  const startedAt = performance.now()
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`
  const isTerminal = process.stdout.isTTY
  process.stdout.write(`${title} ...${isTerminal ? '' : '\n'}`)
  const ticking = setInterval(
    () => process.stdout.write(isTerminal ? `\r${title} ... ${seconds()}` : ''),
    1000,
  )
  try {
    const result = await action()
    process.stdout.write(`${isTerminal ? '\r' : ''}${title}: done in ${seconds()}\n`)
    return result
  } finally {
    clearInterval(ticking)
  }
}

/** Runs a command in the root of the repository. Throws SetupError with its output if it fails. */
export function run([command, ...args], env = {}) {
  return new Promise((resolve, reject) => {
    // Variables that npm sets for scripts would affect another npm. Its settings, `npm_config_*`, stay.
    const inherited = Object.entries(process.env).filter(
      ([key]) => !/^npm_(?!config_)|^npm_config_local_prefix$/.test(key),
    )
    const options = { cwd: root, env: { ...Object.fromEntries(inherited), ...env } }
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (cause) => reject(new SetupError(`${command} could not be run: ${cause.message}`)))
    child.on('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new SetupError(`${[command, ...args].join(' ')} failed:\n${output.trim()}`))
    })
  })
}

/** Installs what the lock file of `scripts/<name>` states, into a directory of its own. */
export async function installLocked(name, directory) {
  mkdirSync(directory, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(root, 'scripts', name, file), join(directory, file))
  await run([
    'npm',
    'ci',
    '--prefix',
    directory,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
}

/** Returns a hash of the contents of files and directories. */
export function fingerprint(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    const full = join(root, path)
    if (!existsSync(full)) return
    if (statSync(full).isDirectory()) for (const entry of readdirSync(full).sort()) add(join(path, entry))
    else hash.update(`${path}\0`).update(readFileSync(full))
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

/** Returns every program of that name on PATH, without those of our dependencies. */
export function onPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => dir !== '' && !dir.includes('node_modules'))
    .map((dir) => join(dir, name))
    .filter(isProgram)
}

function isHeld(lock) {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0)
  } catch (error) {
    // a process of another user
    return error.code === 'EPERM'
  }
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
