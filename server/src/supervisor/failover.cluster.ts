import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { clusterTable, writeClusterResult } from '../testing/fixtures/cluster-results.ts'
import { ClusterTraffic } from '../testing/fixtures/cluster-traffic.ts'
import { startCluster } from '../testing/servers/start-cluster.ts'
import { type DatabaseServer, startPatroni, whyNoPatroni } from '../testing/servers/patroni.ts'

const longestOutageSeconds = 30

const reason = whyNoPatroni()
if (reason !== undefined) console.warn(`Skipped: ${reason}.`)

test.skipIf(reason !== undefined)(
  'nothing confirmed is lost when the primary fails, and the site is back within 30 s',
  async () => {
    const database = await startPatroni()
    onTestFinished(() => database.stop())
    const cluster = await startCluster({
      database: { DATABASE_URL: database.url, DATABASE_REPLICA_URL: database.replicaUrl },
    })
    onTestFinished(() => cluster.stop())
    const traffic = new ClusterTraffic(cluster)
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
    const faults = await traffic.end()
    const result = { engine: 'PostgreSQL with a synchronous replica', versions: database.versions, faults }
    console.log(clusterTable([result]))
    expect(faults.map(({ fault, lost }) => ({ fault, lost }))).toEqual(
      faults.map(({ fault }) => ({ fault, lost: 0 })),
    )
    expect(faults.filter(({ outageSeconds }) => outageSeconds > longestOutageSeconds)).toEqual([])
    await writeClusterResult(result)
  },
  900_000,
)
