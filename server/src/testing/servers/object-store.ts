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
import { parseStorageUrl } from '../../platform/storage/s3.ts'
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

/** A real S3 server: Ceph's object gateway on a store in memory, all on 127.0.0.1. */
export interface ObjectStore extends StoreAccess {
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

/** Starts the store: about ten seconds and half a gigabyte of memory. Nothing of it survives this process. */
export async function startObjectStore(): Promise<ObjectStore> {
  const home = await mkdtemp(join(tmpdir(), 'kinora-objects-'))
  const daemons: Daemon[] = []
  const stop = async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()))
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    return { ...(await bringUp(home, daemons)), stop }
  } catch (error) {
    const output = await Promise.all(daemons.map((daemon) => daemon.output()))
    await stop()
    throw new Error(`the object store did not start:\n${output.join('\n')}`, { cause: error })
  }
}

async function bringUp(home: string, daemons: Daemon[]): Promise<Omit<ObjectStore, 'stop'>> {
  const [first, second, http] = [await findQuietPort(), await findQuietPort(), await findQuietPort()]
  const fsid = randomUUID()
  const monitor = `[v2:127.0.0.1:${first},v1:127.0.0.1:${second}]`
  const settings = join(home, 'ceph.conf')
  await writeFile(settings, configuration(home, fsid, monitor, http))
  for (const directory of ['mon', 'osd', 'mgr', 'rgw']) await mkdir(join(home, directory))
  const env = { ...process.env, CEPH_CONF: settings }
  const call = (program: string, ...args: string[]) => run(program, args, { env, timeout: 240_000 })
  const keep = (program: string, ...args: string[]) =>
    daemons.push(new Daemon(join(home, `${program}.out`), env, program, ...args))

  const keyring = join(home, 'keyring')
  await call(
    'ceph-authtool',
    '--create-keyring',
    keyring,
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  )
  const all = ['mon', 'osd', 'mgr', 'mds'].flatMap((service) => ['--cap', service, 'allow *'])
  for (const name of ['client.admin', 'client.rgw', 'osd.0', 'mgr.x'])
    await call('ceph-authtool', keyring, '--gen-key', '-n', name, ...all)
  const map = join(home, 'monmap')
  await call('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', monitor, map)
  await call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring)
  keep('ceph-mon', '-i', 'a', '-f')
  const osd = randomUUID()
  await call('ceph', '--connect-timeout', '200', 'osd', 'new', osd)
  // without a manager the gateway waits forever without a message
  keep('ceph-mgr', '-i', 'x', '-f', '--mgr-data', join(home, 'mgr'))
  await call('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd)
  keep('ceph-osd', '-i', '0', '-f')
  keep('radosgw', '-n', 'client.rgw', '-f')

  const endpoint = `http://127.0.0.1:${http}`
  await untilResponding(endpoint, daemons)
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
  return { endpoint, ...user, createBucket: () => createBucket({ endpoint, ...user }) }
}

function configuration(home: string, fsid: string, monitor: string, port: number): string {
  const at = (name: string) => join(home, name)
  const lines = {
    fsid,
    'mon host': monitor,
    'public network': '127.0.0.0/8',
    'cluster network': '127.0.0.0/8',
    'ms bind ipv6': false,
    keyring: at('keyring'),
    'run dir': home,
    'mon data': at('mon'),
    'osd data': at('osd'),
    'rgw data': at('rgw'),
    'log file': at('$name.log'),
    'admin socket': '',
    'osd objectstore': 'memstore',
    'memstore device bytes': 2 ** 31,
    'osd memory target': 2 ** 30,
    'osd crush chooseleaf type': 0,
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 4,
    'osd pool default pgp num': 4,
    'osd pool default pg autoscale mode': 'off',
    'mon allow pool size one': true,
    'mon warn on pool no redundancy': false,
    'mon max pg per osd': 1000,
    'mgr initial modules': '',
    'rgw frontends': `beast endpoint=127.0.0.1:${port}`,
    'rgw enable usage log': false,
    'rgw thread pool size': 64,
  }
  return ['[global]', ...Object.entries(lines).map(([key, value]) => `${key} = ${value}`), ''].join('\n')
}

async function untilResponding(endpoint: string, daemons: Daemon[]): Promise<void> {
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
