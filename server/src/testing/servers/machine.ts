import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'

/** Addresses that RFC 5737 reserves for documentation, so that no network has them. */
const addresses = { host: '198.51.100.1', machine: '198.51.100.2' }
const certificates = '/usr/local/share/ca-certificates'
const patience = { timeout: 120_000, interval: 500 }
const bundle = '/etc/ssl/certs/ca-certificates.crt'

/** A fresh Debian 13 that systemd runs, with a network of its own. */
export class Machine {
  /** Reached from this machine. */
  readonly address = addresses.machine
  readonly directory: string
  /** At most 15 characters, as names of network devices have. */
  readonly #name = `kinora-${process.pid}`
  readonly #bound: Record<string, string>
  #nspawn: ChildProcess | undefined
  #gateway: ChildProcess | undefined
  #console = ''

  /** Installs Debian into a directory that does not exist. `bound` maps paths of the machine to those that it shows, read-only. */
  constructor(directory: string, bound: Record<string, string>) {
    this.directory = directory
    this.#bound = bound
    const packages = ['ca-certificates', 'dbus', 'systemd-sysv']
    run('mmdebstrap', '--variant=minbase', `--include=${packages.join(',')}`, 'trixie', directory)
    // a certificate authority of the local network may stand between npm and its registry
    if (existsSync(certificates)) run('cp', '-rT', certificates, join(directory, certificates))
    run('chroot', directory, 'update-ca-certificates')
    writeFileSync(join(directory, 'etc/hostname'), 'kinora\n')
    writeFileSync(join(directory, 'etc/hosts'), '127.0.0.1 localhost kinora\n')
    // the gateway passes names on
    writeFileSync(join(directory, 'etc/resolv.conf'), 'nameserver 10.0.2.3\n')
    // a power cut in the middle of an installation is no concern here
    writeFileSync(join(directory, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n')
    // A package list is on no fresh server either.
    run('rm', '-rf', join(directory, 'var/lib/apt/lists'))
    mkdirSync(join(directory, 'var/lib/apt/lists/partial'), { recursive: true })
  }

  /** Output on its console. */
  get console(): string {
    return this.#console
  }

  /** Starts it and waits until its units have started. */
  async boot(): Promise<void> {
    const name = this.#name
    run('ip', 'netns', 'add', name)
    run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'outside', 'netns', name)
    run('ip', 'address', 'add', `${addresses.host}/30`, 'dev', name)
    run('ip', 'link', 'set', name, 'up')
    run('ip', '-n', name, 'address', 'add', `${addresses.machine}/30`, 'dev', 'outside')
    for (const device of ['lo', 'outside']) run('ip', '-n', name, 'link', 'set', device, 'up')
    const gateway = [
      '--configure',
      '--disable-host-loopback',
      '--netns-type=path',
      `/run/netns/${name}`,
      'tap0',
    ]
    this.#gateway = spawn('slirp4netns', gateway, { stdio: 'ignore' })
    await this.#start()
  }

  async #start(): Promise<void> {
    const name = this.#name
    const mounts = Object.entries(this.#bound).map(([inside, outside]) => `--bind-ro=${outside}:${inside}`)
    const options = [
      `--directory=${this.directory}`,
      `--machine=${name}`,
      `--network-namespace-path=/run/netns/${name}`,
      '--register=no',
      '--keep-unit',
      '--resolv-conf=off',
      '--timezone=off',
      '--console=pipe',
      ...mounts,
    ]
    // systemd needs version 2 of cgroups, also where this machine has version 1
    const cgroups = 'umount -R /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup'
    const command = `${cgroups} && exec systemd-nspawn --quiet --boot "$@"`
    this.#nspawn = spawn('unshare', ['--mount', 'sh', '-c', command, 'sh', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Otherwise, the namespaces of the sandbox could not have a /proc of their own.
      env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1', SYSTEMD_NSPAWN_API_VFS_WRITABLE: '1' },
    })
    for (const stream of [this.#nspawn.stdout, this.#nspawn.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#console += String(chunk)))
    await this.#untilBooted()
  }

  /** Restarts it in order. */
  async reboot(): Promise<void> {
    const ended = this.#nspawn && once(this.#nspawn, 'exit')
    this.execute('systemctl reboot')
    await ended
    await this.#start()
  }

  /** Waits until its units have started. */
  async #untilBooted(): Promise<void> {
    const state = () => {
      if (this.#nspawn?.exitCode !== null) throw new Error(`The machine did not boot:\n${this.#console}`)
      try {
        return this.execute('systemctl is-system-running || true')
      } catch {
        return 'off'
      }
    }
    await vi.waitUntil(() => /^(running|degraded)$/.test(state()), patience)
  }

  /** Runs a command as root in a shell. Returns what it prints; throws with its errors. */
  execute(command: string, workingDirectory = '/root'): string {
    const env = [
      'HOME=/root',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      `NODE_EXTRA_CA_CERTS=${bundle}`,
      `npm_config_cafile=${bundle}`,
    ]
    const inside = ['--target', String(this.#init()), '--all', 'env', '-i', ...env]
    return run('nsenter', ...inside, 'bash', '-c', `cd ${workingDirectory} && ${command}`)
  }

  /** Process of its systemd, as this machine counts. */
  #init(): number {
    const pid = this.#nspawn?.pid
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return Number(child)
  }

  /** Switches it off. */
  async stop(): Promise<void> {
    const nspawn = this.#nspawn
    if (nspawn?.exitCode === null) {
      const ended = once(nspawn, 'exit')
      nspawn.kill('SIGTERM')
      await ended
    }
    this.#gateway?.kill('SIGTERM')
    if (nspawn) run('ip', 'netns', 'delete', this.#name)
  }
}

/** Runs a program to its end. Returns what it prints; throws with its errors. */
function run(program: string, ...args: string[]): string {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' } as const
  return execFileSync(program, args, options).trim()
}
