import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const certificates = '/etc/ssl/certs'

/** An image, unpacked. */
export interface Image {
  /** Its root file system. Containers may not write to it. */
  directory: string
  config: {
    Entrypoint: string[]
    Cmd: string[]
    Env: string[]
    User: string
    Healthcheck: { Test: string[] }
  }
  delete(): void
}

/**
 * Builds `packaging/container/Containerfile` with Buildah. There is no registry of images: packages of Debian stand in for the
 * images from which the Containerfile starts.
 */
export function buildImage(directory: string): Image {
  const buildah = (...args: string[]) =>
    run('buildah', '--root', join(directory, 'images'), '--runroot', join(directory, 'run'), ...args)
  // a certificate authority of the local network may stand between npm and its registry
  const volume = `${certificates}:${certificates}:ro`
  const options = ['--isolation', 'chroot', '--format', 'docker', '--volume', volume]
  const build = (tag: string, file: string, context: string, ...args: string[]) =>
    buildah('bud', ...options, '--tag', `localhost/${tag}`, '--file', file, ...args, context)

  const debian = join(directory, 'debian.tar')
  run('mmdebstrap', '--variant=minbase', '--include=ca-certificates', 'trixie', debian)
  const base = buildah('from', 'scratch')
  buildah('add', '--quiet', base, debian, '/')
  buildah('commit', '--quiet', base, 'localhost/debian')

  const withNode = join(directory, 'Containerfile')
  const bundle = join(certificates, 'ca-certificates.crt')
  writeFileSync(
    withNode,
    `FROM localhost/debian
     RUN apt-get update && apt-get install -y --no-install-recommends nodejs npm
     ENV NODE_EXTRA_CA_CERTS=${bundle} npm_config_cafile=${bundle}`,
  )
  build('node', withNode, directory)
  const bases = ['--build-arg', 'NODE=localhost/node', '--build-arg', 'DEBIAN=localhost/debian']
  build('kinora', 'packaging/container/Containerfile', root, ...bases)

  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/kinora'))
  return {
    directory: buildah('mount', buildah('from', 'localhost/kinora')),
    config: Docker.config,
    delete: () => {
      buildah('umount', '--all')
      buildah('rm', '--all')
      buildah('rmi', '--all', '--force')
    },
  }
}

/** A container on the network of this machine. It is stopped at the end of the test if it still runs. */
export interface Container {
  /** Output so far. */
  output(): string
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
  /** Runs a command in it. Returns what it prints; throws if it fails. */
  execute(...command: string[]): string
  /** Whether the health check of the image passes now. */
  isHealthy(): boolean
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>
}

let started = 0

/**
 * Starts a container with runc as the compose files do: the image's user, a read-only root file system, no capabilities, and
 * no filter of system calls. `data` becomes the volume.
 */
export function startContainer(
  image: Image,
  options: { directory: string; data: string; args?: string[]; env?: Record<string, string> },
): Container {
  const { directory, data, args = image.config.Cmd, env = {} } = options
  const id = `kinora-${process.pid}-${(started += 1)}`
  const bundle = join(directory, id)
  mkdirSync(bundle)
  const user = Number(run('chroot', image.directory, 'id', '-u', image.config.User))
  const mount = (destination: string, type: string, ...more: string[]) => ({
    destination,
    type,
    source: type,
    options: ['nosuid', ...more],
  })
  const config = {
    ociVersion: '1.0.2',
    root: { path: image.directory, readonly: true },
    process: {
      user: { uid: user, gid: user },
      args: [...image.config.Entrypoint, ...args],
      env: [...image.config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: '/',
      noNewPrivileges: true,
    },
    mounts: [
      mount('/proc', 'proc'),
      mount('/dev', 'tmpfs', 'mode=755'),
      mount('/dev/shm', 'tmpfs', 'mode=1777'),
      mount('/tmp', 'tmpfs', 'mode=1777'),
      { destination: '/data', type: 'bind', source: data, options: ['rbind', 'rw'] },
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  }
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(config))
  run('chown', String(user), data)
  const runc = ['--root', join(directory, 'runc')]
  const child = spawn('runc', [...runc, 'run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const stop = () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    return ended
  }
  onTestFinished(async () => void (await stop()))
  const execute = (...command: string[]) => run('runc', ...runc, 'exec', id, ...command)
  const isHealthy = () => {
    try {
      execute(...image.config.Healthcheck.Test.slice(1))
      return true
    } catch {
      return false
    }
  }
  return { output: () => output, ended, execute, isHealthy, stop }
}

/** Runs a program to its end. Returns what it prints; throws with its errors. */
function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: 'pipe',
  }).trim()
}
