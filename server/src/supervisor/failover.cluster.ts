import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { clusterTable, writeClusterResult } from '../testing/fixtures/cluster-results.ts'
import { ClusterTraffic, type FaultReport } from '../testing/fixtures/cluster-traffic.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { videoOf } from '../testing/fixtures/test-uploads.ts'
import {
  hasPgbouncer,
  programs,
  startPooler,
  startPostgresql,
} from '../testing/servers/distribution-postgresql.ts'
import { startObjectStore, whyNoObjectStore } from '@kinora/platform/testing/object-store.ts'
import { startCluster } from '../testing/servers/start-cluster.ts'
import { type DatabaseServer, startPatroni, whyNoPatroni } from '../testing/servers/patroni.ts'

const longestOutageSeconds = 30
const timeout = 900_000

const noPatroni = whyNoPatroni()
const noObjectStore = whyNoObjectStore() ?? noPatroni
for (const reason of [noPatroni, noObjectStore]) if (reason !== undefined) console.warn(`Skipped: ${reason}.`)

/** Returns the faults with a loss or a long outage. Without any, the result is recorded for docs/reliability.md. */
async function conclude(engine: string, versions: string, faults: FaultReport[]): Promise<FaultReport[]> {
  console.log(clusterTable([{ engine, versions, faults }]))
  const failed = faults.filter(({ lost, outageSeconds }) => lost > 0 || outageSeconds > longestOutageSeconds)
  if (failed.length === 0) await writeClusterResult({ engine, versions, faults })
  return failed
}

const smallUploads = async () => ({
  source: await drawClip('mp4 of two renditions'),
  measured: 'comment' as const,
})

test.skipIf(noPatroni !== undefined)(
  'nothing confirmed is lost when the primary fails, and the site is back within 30 s',
  async () => {
    const database = await startPatroni()
    onTestFinished(() => database.stop())
    const cluster = await startCluster({
      database: { DATABASE_URL: database.url, DATABASE_REPLICA_URL: database.replicaUrl },
    })
    onTestFinished(() => cluster.stop())
    const traffic = new ClusterTraffic(cluster, await smallUploads())
    await traffic.start()

    /** Waits until the other server is primary, starts the failed one and waits until it is its replica. */
    const failover = async (
      fault: string,
      fail: (primary: DatabaseServer) => unknown,
      repair: (failed: DatabaseServer) => unknown = () => undefined,
    ) => {
      const failed = await database.primary()
      const recovered = async () => {
        while ((await database.primary().catch(() => failed)).name === failed.name) await delay(100)
        await repair(failed)
        await database.untilRedundant()
      }
      await traffic.during(fault, async () => void (await fail(failed)), recovered)
    }
    await failover('PostgreSQL of the primary killed', (primary) => primary.killPostgresql())
    await failover(
      'machine of the primary killed',
      (primary) => primary.kill(),
      (failed) => failed.start(),
    )
    await failover(
      'machine of the primary suspended',
      (primary) => primary.signal('SIGSTOP'),
      (failed) => failed.signal('SIGCONT'),
    )
    const replica = await database.replica()
    await traffic.during(
      'machine of the replica killed',
      () => replica.kill(),
      async () => {
        replica.start()
        await database.untilRedundant()
      },
    )
    expect(
      await conclude('PostgreSQL with a synchronous replica', database.versions, await traffic.end()),
    ).toEqual([])
  },
  timeout,
)

test.skipIf(!programs || !hasPgbouncer)(
  'nothing confirmed is lost when PgBouncer in transaction mode or PostgreSQL behind it is killed',
  async () => {
    const server = await startPostgresql()
    const pooler = await startPooler(server, 'transaction')
    const cluster = await startCluster({
      database: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: server.url },
    })
    onTestFinished(() => cluster.stop())
    const traffic = new ClusterTraffic(cluster, await smallUploads())
    await traffic.start()
    for (const round of [1, 2])
      await traffic.during(
        `PgBouncer killed, ${round}`,
        () => pooler.kill(),
        async () => pooler.start(),
      )
    await traffic.during(
      'PostgreSQL stopped without a checkpoint',
      () => server.stop(),
      () => server.start(),
    )
    const version = /\d+\.\d+/.exec(execFileSync('/usr/sbin/pgbouncer', ['--version'], { encoding: 'utf8' }))
    expect(
      await conclude('PgBouncer in transaction mode', `PgBouncer ${version?.[0]}`, await traffic.end()),
    ).toEqual([])
  },
  timeout,
)

test.skipIf(noObjectStore !== undefined)(
  'nothing confirmed is lost when parts of a distributed object store fail',
  async () => {
    const store = await startObjectStore(3)
    onTestFinished(() => store.stop())
    const cluster = await startCluster({ bucket: await store.createBucket() })
    onTestFinished(() => cluster.stop())
    // More than one part of a multipart upload.
    const traffic = new ClusterTraffic(cluster, {
      source: await videoOf(20 * 1024 * 1024),
      measured: 'upload',
    })
    await traffic.start()
    for (const [fault, name] of [
      ['gateway killed', 'rgw.0'],
      ['monitor killed', 'mon.a'],
    ] as const)
      await traffic.during(
        fault,
        () => store.kill(name),
        async () => {
          store.start(name)
          await store.untilUp(3)
        },
      )
    await traffic.during(
      'OSD killed, with everything on it',
      () => store.kill('osd.0'),
      () => store.untilUp(2),
    )
    await traffic.during(
      'the other gateway killed',
      () => store.kill('rgw.1'),
      async () => store.start('rgw.1'),
    )
    expect(await conclude('Object store of three nodes', store.version, await traffic.end())).toEqual([])
  },
  timeout,
)
