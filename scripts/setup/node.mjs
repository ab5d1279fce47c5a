import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installLocked, onPath, root, SetupError, step } from './steps.mjs'

const oldestMajor = 24
const tooling = join(root, '.tooling/node')

/** Returns a Node that runs TypeScript: this one, another on PATH, or one installed from npm into `.tooling`. */
export async function ensureNode() {
  if (majorOf(process.version) >= oldestMajor) return process.execPath
  const brought = join(tooling, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  const found = [brought, ...onPath('node')].find(isNewEnough)
  if (found) return found
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    throw new SetupError(
      `Kinora needs Node ${oldestMajor} or later and found ${process.version}: install it from https://nodejs.org.`,
    )
  }
  const title = `Fetching Node ${oldestMajor} (this machine has ${process.version})`
  await step(title, () => installLocked('node', tooling))
  // npm skips an optional package that it cannot fetch
  if (!existsSync(brought))
    throw new SetupError(
      `Node ${oldestMajor} could not be fetched from npm: check the network, or install it.`,
    )
  if (!isNewEnough(brought))
    throw new SetupError(`The Node in ${brought} does not run on this machine: install Node ${oldestMajor}.`)
  return brought
}

function isNewEnough(file) {
  if (!existsSync(file)) return false
  try {
    return majorOf(execFileSync(file, ['--version'], { encoding: 'utf8' })) >= oldestMajor
  } catch {
    return false
  }
}

function majorOf(version) {
  return Number.parseInt(version.replace('v', ''), 10)
}
