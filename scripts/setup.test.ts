import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let machine: string

beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'kinora-machine-'))
})

afterEach(() => {
  rmSync(machine, { recursive: true })
})

/** A program that records its arguments and does nothing else. */
function addProgram(name: string, then = '') {
  const note = `echo "${name} $*" >> "${machine}/calls"`
  writeFileSync(join(machine, name), `#!/bin/sh\n${then || note}\n`, { mode: 0o755 })
}

/** Runs the package step of the set-up on a machine with only the added programs. */
function onMachine(statement: string, env: Record<string, string> = {}) {
  const from = JSON.stringify(join(import.meta.dirname, 'setup/packages.mjs'))
  const script = `import { installCommand, installPackages } from ${from}\n${statement}`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: machine, ...env },
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout.trim()
}

test.each([
  ['apt-get', ['apt-get update', 'apt-get install -y --no-install-recommends ffmpeg']],
  ['dnf', ['dnf install -y ffmpeg']],
  ['zypper', ['zypper --non-interactive install ffmpeg']],
  ['pacman', ['pacman -S --noconfirm ffmpeg']],
  ['apk', ['apk add ffmpeg']],
  ['brew', ['brew install ffmpeg']],
])('%s installs missing packages', (manager, calls) => {
  addProgram(manager)
  // as an ordinary user, who may
  addProgram('sudo', 'shift; case $1 in --*) shift;; esac; [ "$1" = true ] || exec "$@"')
  const notice = onMachine("await installPackages('ffmpeg', ['ffmpeg'])")
  expect(notice).toContain(calls.at(-1))
  expect(notice).toContain('INSTALL_PACKAGES=false')
  expect(readFileSync(join(machine, 'calls'), 'utf8').trim().split('\n')).toEqual(calls)
})

test('INSTALL_PACKAGES=false installs nothing', () => {
  addProgram('apk')
  addProgram('sudo', 'shift; case $1 in --*) shift;; esac; [ "$1" = true ] || exec "$@"')
  const install = "await installPackages('ffmpeg', ['ffmpeg'])"
  expect(onMachine(install, { INSTALL_PACKAGES: 'false' })).toBe('')
  expect(existsSync(join(machine, 'calls'))).toBe(false)
})

test.each([
  ['dnf', /^(sudo )?dnf install ffmpeg$/],
  ['apk', /^(sudo )?apk add ffmpeg$/],
  ['brew', /^brew install ffmpeg$/],
])('prints the command of %s if it cannot install', (manager, command) => {
  addProgram(manager)
  expect(onMachine("console.log(installCommand(['ffmpeg']))")).toMatch(command)
})

test('names the missing packages if there is no package manager', () => {
  expect(onMachine("await installPackages('ffmpeg', ['ffmpeg'])")).toBe('')
  expect(onMachine("console.log(installCommand(['ffmpeg']))")).toBe('install ffmpeg')
})

function isInstalled(): string {
  const from = JSON.stringify(join(import.meta.dirname, 'setup/installed.mjs'))
  const script = `import { isInstalled } from ${from}\nconsole.log(isInstalled(${JSON.stringify(machine)}))`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  }).stdout.trim()
}

const forOther = { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] }
const forThis = { ...forOther, os: [process.platform], cpu: [process.arch] }

test.each([
  ['everything', { a: { version: '1.0.0' }, forThis, forOther }, true],
  ['all but packages for other machines', { a: { version: '1.0.0' }, forThis }, true],
  ['another version', { a: { version: '0.9.0' }, forThis }, false],
  ['without an optional package for this machine', { a: { version: '1.0.0' } }, false],
])('node_modules with %s', (_, installed, isComplete) => {
  const write = (file: string, packages: object) => {
    const byPath = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry] as const)
    writeFileSync(join(machine, file), JSON.stringify({ packages: Object.fromEntries(byPath) }))
  }
  expect(isInstalled()).toBe('false')
  mkdirSync(join(machine, 'node_modules'))
  write('package-lock.json', { a: { version: '1.0.0' }, forThis, forOther })
  write('node_modules/.package-lock.json', installed)
  expect(isInstalled()).toBe(String(isComplete))
})

test('names the Node that it needs on an older one', () => {
  const older = 'data:text/javascript,Object.defineProperty(process, "version", { value: "v18.19.1" })'
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', older, join(import.meta.dirname, 'setup.mjs')],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe(
    'Kinora needs Node 20.11 or newer; this is Node 18.19.1. Install it from https://nodejs.org.\n',
  )
  expect(status).toBe(1)
})
