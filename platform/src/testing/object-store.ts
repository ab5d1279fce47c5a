import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  PutBucketCorsCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { z } from 'zod'
import { parseStorageUrl } from '../storage/storage-url.ts'
import { Daemon } from './daemon.ts'
import { findQuietPort } from './quiet-port.ts'

const run = promisify(execFile)

const programs = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-mgr']
const startSeconds = 300

/** Environment variables that describe the bucket to the site. */
export interface BucketSettings extends Record<string, string> {
  STORAGE_URL: string
  AWS_ACCESS_KEY_ID: string
  AWS_SECRET_ACCESS_KEY: string
}

/** Address of a store, and credentials that may create buckets in it. */
export interface StoreAccess {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
}

/** A real S3 server: Ceph's object gateways on a store in memory, all on 127.0.0.1. */
export interface ObjectStore extends StoreAccess {
  version: string
  /** Ends a process immediately: `mon.a`, `osd.0`, `rgw.0`. What an OSD stored is lost with it. */
  kill(name: string): Promise<void>
  /** Starts a killed monitor or gateway again. */
  start(name: string): void
  /** Waits until all monitors take part and the store counts so many OSDs as up. */
  untilUp(osds: number): Promise<void>
  /** Creates a bucket. Returns the settings that name it. */
  createBucket(): Promise<BucketSettings>
  /** Ends every process and deletes every file. */
  stop(): Promise<void>
}

/** Why there can be no object store on this machine; undefined if there can. */
export function whyNoObjectStore(): string | undefined {
  const missing = programs.filter((program) => !existsSync(`/usr/bin/${program}`))
  if (missing.length === 0) return undefined
  return `there is no S3 server to test against (${missing.join(', ')}): Debian has one, and installing it needs root`
}

/**
 * Starts the store: about ten seconds and half a gigabyte of memory. Nothing of it survives this process. With three
 * nodes there are three monitors, three OSDs that each hold a replica of everything, of which two must be up, and two
 * gateways behind HAProxy.
 */
export async function startObjectStore(nodes: 1 | 3 = 1): Promise<ObjectStore> {
  const home = await mkdtemp(join(tmpdir(), 'kinora-objects-'))
  const daemons = new Map<string, Daemon>()
  const stop = async () => {
    await Promise.all([...daemons.values()].map((daemon) => daemon.stop()))
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    return { ...(await bringUp(home, daemons, nodes)), stop }
  } catch (error) {
    const output = await Promise.all([...daemons.values()].map((daemon) => daemon.output()))
    await stop()
    throw new Error(`the object store did not start:\n${output.join('\n')}`, { cause: error })
  }
}

async function bringUp(
  home: string,
  daemons: Map<string, Daemon>,
  nodes: number,
): Promise<Omit<ObjectStore, 'stop'>> {
  const monitors: Record<string, string> = {}
  for (const name of ['a', 'b', 'c'].slice(0, nodes))
    monitors[name] = `[v2:127.0.0.1:${await findQuietPort()},v1:127.0.0.1:${await findQuietPort()}]`
  const osds = Array.from({ length: nodes }, (_, index) => String(index))
  const gateways: number[] = []
  while (gateways.length < Math.min(nodes, 2)) gateways.push(await findQuietPort())
  const fsid = randomUUID()
  const settings = join(home, 'ceph.conf')
  await writeFile(settings, configuration(home, fsid, Object.values(monitors)))
  await mkdir(join(home, 'mgr'))
  const env = { ...process.env, CEPH_CONF: settings }
  const call = (program: string, ...args: string[]) => run(program, args, { env, timeout: 240_000 })
  const keep = (name: string, program: string, ...args: string[]) =>
    daemons.set(name, new Daemon(join(home, `${name}.out`), env, program, ...args))

  const keyring = join(home, 'keyring')
  const monitorRights = ['-n', 'mon.', '--cap', 'mon', 'allow *']
  await call('ceph-authtool', '--create-keyring', keyring, '--gen-key', ...monitorRights)
  const all = ['mon', 'osd', 'mgr', 'mds'].flatMap((service) => ['--cap', service, 'allow *'])
  for (const name of ['client.admin', 'client.rgw', 'mgr.x', ...osds.map((id) => `osd.${id}`)])
    await call('ceph-authtool', keyring, '--gen-key', '-n', name, ...all)
  const map = join(home, 'monmap')
  const addresses = Object.entries(monitors).flatMap(([name, address]) => ['--addv', name, address])
  await call('monmaptool', '--create', '--fsid', fsid, ...addresses, map)
  for (const name of Object.keys(monitors)) {
    await mkdir(join(home, `mon-${name}`))
    await call('ceph-mon', '--mkfs', '-i', name, '--monmap', map, '--keyring', keyring)
    keep(`mon.${name}`, 'ceph-mon', '-i', name, '-f')
  }
  const uuids = osds.map(() => randomUUID())
  for (const uuid of uuids) await call('ceph', '--connect-timeout', '200', 'osd', 'new', uuid)
  // without a manager the gateway waits forever without a message
  keep('mgr.x', 'ceph-mgr', '-i', 'x', '-f', '--mgr-data', join(home, 'mgr'))
  for (const [index, id] of osds.entries()) {
    await mkdir(join(home, `osd-${id}`))
    await call('ceph-osd', '-i', id, '--mkfs', '--osd-uuid', uuids[index] ?? '')
    keep(`osd.${id}`, 'ceph-osd', '-i', id, '-f')
  }
  for (const [index, port] of gateways.entries()) {
    keep(
      `rgw.${index}`,
      'radosgw',
      '-n',
      'client.rgw',
      '-f',
      `--rgw-frontends=beast endpoint=127.0.0.1:${port}`,
    )
    // Two gateways must not create the pools at the same time.
    await untilResponding(`http://127.0.0.1:${port}`, [...daemons.values()])
  }
  const endpoint = `http://127.0.0.1:${gateways.length > 1 ? await balance(home, keep, gateways) : gateways[0]}`
  await untilResponding(endpoint, [...daemons.values()])
  const user = {
    accessKeyId: `KEY${randomBytes(8).toString('hex')}`,
    secretAccessKey: randomBytes(20).toString('hex'),
  }
  await call(
    'radosgw-admin',
    'user',
    'create',
    '--uid=kinora',
    '--display-name=Kinora',
    `--access-key=${user.accessKeyId}`,
    `--secret-key=${user.secretAccessKey}`,
  )
  const { stdout: version } = await call('radosgw', '--version')
  return {
    endpoint,
    ...user,
    version: `Ceph ${/\d+\.\d+\.\d+/.exec(version)?.[0]}`,
    createBucket: () => createBucket({ endpoint, ...user }),
    kill: async (name) => daemons.get(name)?.stop(),
    start: (name) => daemons.get(name)?.restart(),
    untilUp: async (wanted) => {
      for (;;) {
        const { stdout } = await call('ceph', '--connect-timeout', '60', 'status', '--format=json')
        const { osdmap, quorum } = Status.parse(JSON.parse(stdout))
        if (osdmap.num_up_osds === wanted && quorum.length === nodes) return
        await delay(200)
      }
    },
  }
}

const Status = z.object({ osdmap: z.object({ num_up_osds: z.number() }), quorum: z.array(z.number()) })

/** HAProxy in front of the gateways, which sends a request to the other one if it could not be sent. Returns its port. */
async function balance(
  home: string,
  keep: (name: string, program: string, ...args: string[]) => void,
  gateways: readonly number[],
): Promise<number> {
  const port = await findQuietPort()
  const file = join(home, 'haproxy.cfg')
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 1m',
    '  timeout server 1m',
    '  retries 3',
    '  option redispatch 1',
    '  default-server check inter 1s fall 2 rise 1',
    'listen store',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /',
    ...gateways.map((gateway, index) => `  server rgw${index} 127.0.0.1:${gateway}`),
    '',
  ]
  await writeFile(file, lines.join('\n'))
  keep('haproxy', '/usr/sbin/haproxy', '-db', '-f', file)
  return port
}

function configuration(home: string, fsid: string, monitors: readonly string[]): string {
  const at = (name: string) => join(home, name)
  const replicas = monitors.length
  const lines = {
    fsid,
    'mon host': monitors.join(','),
    'public network': '127.0.0.0/8',
    'cluster network': '127.0.0.0/8',
    'ms bind ipv6': false,
    keyring: at('keyring'),
    'run dir': home,
    'mon data': at('mon-$id'),
    'osd data': at('osd-$id'),
    'rgw data': at('rgw'),
    'log file': at('$name.log'),
    'admin socket': '',
    'osd objectstore': 'memstore',
    'memstore device bytes': 2 ** 31,
    'osd memory target': 2 ** 30,
    'osd crush chooseleaf type': 0,
    'osd pool default size': replicas,
    'osd pool default min size': Math.min(replicas, 2),
    'osd pool default pg num': 4,
    'osd pool default pgp num': 4,
    'osd pool default pg autoscale mode': 'off',
    'mon allow pool size one': true,
    'mon warn on pool no redundancy': false,
    'mon max pg per osd': 1000,
    'mgr initial modules': '',
    'rgw enable usage log': false,
    'rgw thread pool size': 64,
  }
  return ['[global]', ...Object.entries(lines).map(([key, value]) => `${key} = ${value}`), ''].join('\n')
}

async function untilResponding(endpoint: string, daemons: readonly Daemon[]): Promise<void> {
  const deadline = Date.now() + startSeconds * 1000
  for (;;) {
    const isUp = await fetch(endpoint, { signal: AbortSignal.timeout(5000) })
      .then(async (response) => {
        await response.arrayBuffer()
        return response.ok
      })
      .catch(() => false)
    if (isUp) return
    if (daemons.some((daemon) => daemon.hasEnded) || Date.now() > deadline)
      throw new Error('one of its processes ended, or it did not respond in time')
    await delay(100)
  }
}

/** Creates a bucket in a store, with CORS for browsers. Returns the settings that name it. */
export async function createBucket(store: StoreAccess): Promise<BucketSettings> {
  const bucket = `kinora-${randomBytes(6).toString('hex')}`
  const client = connect(store)
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    const rule = {
      AllowedMethods: ['GET', 'HEAD'],
      AllowedOrigins: ['*'],
      AllowedHeaders: ['*'],
      MaxAgeSeconds: 3600,
    }
    await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } }))
  } finally {
    client.destroy()
  }
  return {
    STORAGE_URL: `s3://${bucket}?endpoint=${encodeURIComponent(store.endpoint)}`,
    AWS_ACCESS_KEY_ID: store.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
  }
}

function connect(store: StoreAccess): S3Client {
  const { endpoint } = store
  return new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: store })
}

/** Runs S3 commands on a bucket. */
export async function withBucket<T>(
  { STORAGE_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }: BucketSettings,
  work: (client: S3Client, Bucket: string) => Promise<T>,
): Promise<T> {
  const { bucket, endpoint = '' } = parseStorageUrl(STORAGE_URL)
  const client = connect({
    endpoint,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
  })
  try {
    return await work(client, bucket)
  } finally {
    client.destroy()
  }
}

/** The multipart uploads in a bucket that are neither completed nor aborted. */
export async function listUploads(settings: BucketSettings) {
  return withBucket(settings, async (client, Bucket) => {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
    return Uploads
  })
}

export async function countUploads(settings: BucketSettings): Promise<number> {
  return (await listUploads(settings)).length
}
