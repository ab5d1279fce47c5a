import { installCommand, installPackages } from './packages.mjs'
import { onPath, SetupError } from './steps.mjs'

const programs = ['buildah', 'mmdebstrap', 'runc']

/** Programs that build and run a container image without an engine. */
export async function ensureContainerPrograms() {
  const missing = programs.filter((program) => onPath(program).length === 0)
  if (missing.length === 0) return
  await installPackages('programs for the container image', missing)
  if (missing.some((program) => onPath(program).length === 0))
    throw new SetupError(`The test of the image needs ${missing.join(', ')}: ${installCommand(missing)}`)
}
