import { installCommand, installPackages } from './packages.mjs'
import { onPath, SetupError } from './steps.mjs'

/** Programs that build and run a container image without an engine. */
export const ensureContainerPrograms = () =>
  ensurePrograms('the container image', { buildah: 'buildah', mmdebstrap: 'mmdebstrap', runc: 'runc' })

/** Programs that install a Debian into a directory and run it with systemd and a network of its own. */
export const ensureMachinePrograms = () =>
  ensurePrograms('a machine', {
    ip: 'iproute2',
    mmdebstrap: 'mmdebstrap',
    slirp4netns: 'slirp4netns',
    'systemd-nspawn': 'systemd-container',
  })

async function ensurePrograms(purpose, packages) {
  const missing = () => Object.keys(packages).filter((program) => onPath(program).length === 0)
  const wanted = missing().map((program) => packages[program])
  if (wanted.length === 0) return
  await installPackages(`programs for ${purpose}`, wanted)
  if (missing().length > 0)
    throw new SetupError(`The test of ${purpose} needs ${missing().join(', ')}: ${installCommand(wanted)}`)
}
