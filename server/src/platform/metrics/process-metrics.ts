import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MetricsRegistry } from './metrics.ts'

/** Ticks in which Linux counts the time of processes: a constant of its interface. */
const ticksPerSecond = 100

/** Resource use of this process, named as in the official Prometheus client libraries. */
export function registerProcessMetrics(metrics: MetricsRegistry): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const startedAt = Date.now() / 1000 - process.uptime()
  metrics.collect('process_start_time_seconds', 'When the process started.', 'gauge', () => startedAt)
  metrics.collect('process_resident_memory_bytes', 'Memory in use.', 'gauge', () => process.memoryUsage.rss())
  metrics.collect('process_cpu_seconds_total', 'CPU time of this process.', 'counter', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  metrics.collect(
    'nodejs_eventloop_lag_p99_seconds',
    'How late timers ran since the last look.',
    'gauge',
    () => {
      const lag = delay.percentile(99) / 1e9
      delay.reset()
      return lag
    },
  )
  metrics.collect(
    'kinora_children_cpu_seconds_total',
    'CPU time of the programs that this process ran, ffmpeg above all; only on Linux, and not in the box bubblewrap.',
    'counter',
    childrenCpuSeconds,
  )
}

/** The kernel adds up the time of children, and theirs, as they end. */
function childrenCpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The name may contain spaces and brackets; what follows its last bracket is regular.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
}
