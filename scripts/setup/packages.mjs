import { execFileSync } from 'node:child_process'
import { onPath, run, step } from './steps.mjs'

const managers = {
  'apt-get': {
    refresh: ['apt-get', 'update'],
    install: ['apt-get', 'install', '-y', '--no-install-recommends'],
  },
  dnf: { install: ['dnf', 'install', '-y'] },
  zypper: { install: ['zypper', '--non-interactive', 'install'] },
  pacman: { install: ['pacman', '-S', '--noconfirm'] },
  apk: { install: ['apk', 'add'] },
  brew: { install: ['brew', 'install'], needsNoRoot: true },
}

/**
 * Installs packages with the system's package manager if no password is needed, and prints the command first. Does
 * nothing otherwise or with `INSTALL_PACKAGES=false`; the caller then reports what is missing.
 */
export async function installPackages(title, packages) {
  if (process.env.INSTALL_PACKAGES === 'false') return
  const manager = findManager()
  const prefix = manager && privileges(manager)
  if (!prefix) return
  const command = [...prefix, ...manager.install, ...packages].join(' ')
  console.log(`Installing system packages: ${command}`)
  console.log('To install them yourself, stop this and set INSTALL_PACKAGES=false.')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await step(`Installing ${title}`, async () => {
    // an outdated package list may be sufficient; otherwise installing fails below
    if (manager.refresh) await run([...prefix, ...manager.refresh], env).catch(() => {})
    await run([...prefix, ...manager.install, ...packages], env)
  })
}

/** The command that a person would type. */
export function installCommand(packages) {
  const manager = findManager()
  if (!manager) return `install ${packages.join(' ')}`
  const sudo = manager.needsNoRoot || process.getuid() === 0 ? [] : ['sudo']
  return [...sudo, ...manager.install.filter((word) => !word.startsWith('-')), ...packages].join(' ')
}

function findManager() {
  const name = Object.keys(managers).find((candidate) => onPath(candidate).length > 0)
  return name && managers[name]
}

/** Returns the prefix of the command (sudo), or undefined without permission. */
function privileges(manager) {
  if (manager.needsNoRoot || process.getuid() === 0) return []
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore' })
    return ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND']
  } catch {
    return undefined
  }
}
