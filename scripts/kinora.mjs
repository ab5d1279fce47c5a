#!/usr/bin/env node
/**
 * Runs the CLI with Node 20.11 or newer: `npm run kinora -- ...`. Installs missing dependencies first, as `npm start` does.
 */
import './setup/node-version.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)

// standard output contains only the result
run(process.execPath, [join(root, 'scripts/setup.mjs')], { cwd: root, stdio: ['inherit', 2, 2] }, () =>
  run(join(root, 'node_modules/.bin/node'), [join(root, 'server/src/bin/cli.ts'), ...args], {}, () => {}),
)

/**
 * Runs a program, and `next` if it succeeds; otherwise exits with its code. Passes signals on and waits for the program to
 * end.
 */
function run(command, parameters, options, next) {
  const child = spawn(command, parameters, { stdio: 'inherit', ...options })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (code === 0) return next()
    process.exitCode = code ?? (signal ? 130 : 1)
  })
}
