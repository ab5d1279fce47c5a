#!/usr/bin/env node
/**
 * The operator's commands from any directory and by whatever Node there is: `npx kinora`, `npm run kinora -- ...`.
 * Brings what is missing first, as `npm start` does.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)

// standard output is for the answer alone
run(process.execPath, [join(root, 'scripts/setup.mjs')], { cwd: root, stdio: ['inherit', 2, 2] }, () =>
  run(join(root, 'node_modules/.bin/node'), [join(root, 'server/src/bin/cli.ts'), ...args], {}, () => {}),
)

/** The terminal's signals reach the child as well; its end is ours. */
function run(command, line, options, next) {
  const child = spawn(command, line, { stdio: 'inherit', ...options })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (code === 0) return next()
    process.exitCode = code ?? (signal ? 130 : 1)
  })
}
