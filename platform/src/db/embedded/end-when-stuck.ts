import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { codeOf, describeError } from '../../errors.ts'
import { Silence, watchdogTimes } from '../../watchdog.ts'
import { type Cluster, readLock } from './cluster.ts'
import {
  killServer,
  listServerProcesses,
  seesProcesses,
  type ServerProcess,
  signal,
} from './server-processes.ts'

/** SQLSTATE of a server that starts, recovers or stops. */
const cannotConnectNow = '57P03'

/**
 * Probes a server until it ends. One that neither responds nor makes progress is ended: at first with an immediate shutdown,
 * from which it recovers at the next start, then by killing its processes.
 *
 * A recovery may take hours. It makes progress while its process `startup` exists and it, or the checkpointer that works for
 * it, uses CPU time or waits for the disk. Without that process, as after somebody killed it, PostgreSQL 18.4 says for ever
 * that it recovers.
 */
export function endWhenStuck(
  { launcher, password, log, times = watchdogTimes }: Cluster,
  { pid, port, ended }: { pid: number; port: number; ended: Promise<void> },
): void {
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  const silence = new Silence(times.databaseProbeMs + times.databaseProbeTimeoutMs)
  let earlier: ServerProcess[] = []

  const watch = async (): Promise<void> => {
    await delay(times.databaseProbeMs, undefined, { ref: false })
    if (hasEnded) return
    const { answers, reason } = await probe(port, password, times.databaseProbeTimeoutMs)
    const silentMs = silence.measure()
    const processes = answers ? [] : listServerProcesses(launcher, pid)
    const isStopping = readLock(launcher)?.state === 'stopping'
    if (answers || makesProgress(earlier, processes, isStopping, reason)) silence.reset()
    else if (silentMs > times.silentDatabaseMs) return end(silentMs, reason, processes)
    earlier = processes
    return watch()
  }
  const end = async (silentMs: number, reason: string, processes: ServerProcess[]): Promise<void> => {
    log?.warn(
      {
        postgresqlPid: pid,
        silentMs: Math.round(silentMs),
        reason,
        processes: processes.map(({ title }) => title),
      },
      'database does not respond, restarting',
    )
    signal(pid, 'SIGQUIT')
    await Promise.race([ended, delay(times.graceMs, undefined, { ref: false })])
    if (!hasEnded) killServer(launcher, pid)
  }
  void watch()
}

function makesProgress(
  earlier: readonly ServerProcess[],
  processes: readonly ServerProcess[],
  isStopping: boolean,
  reason: string,
): boolean {
  if (!seesProcesses) return reason.includes('database system')
  const isRecovering = processes.some(({ title }) => title.startsWith('postgres: startup'))
  if (!isRecovering && !isStopping) return false
  return processes
    .filter(({ title }) => /^postgres: (startup|checkpointer)/.test(title))
    .some(({ pid, cpuTime, waitsForDevice }) => {
      const before = earlier.find((each) => each.pid === pid)
      return waitsForDevice || (before !== undefined && before.cpuTime !== cpuTime)
    })
}

export interface ProbeResult {
  /** Whether it accepted the connection. */
  isUp: boolean
  /** Whether the server works, even if it rejects this client. */
  answers: boolean
  /** Why it is not up. */
  reason: string
}

/** Connects to a server and runs a statement. */
export async function probe(port: number, password: string, timeoutMs: number): Promise<ProbeResult> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'kinora',
    password,
    database: 'postgres',
    application_name: 'kinora supervisor',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return { isUp: true, answers: true, reason: '' }
  } catch (error) {
    const code = codeOf(error) ?? ''
    const answers = /^\d[0-9A-Z]{4}$/.test(code) && code !== cannotConnectNow
    return { isUp: false, answers, reason: describeError(error) }
  } finally {
    // a server that is stopped does not close the connection
    void client.end().catch(() => {})
  }
}
