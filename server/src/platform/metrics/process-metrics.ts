import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MetricsRegistry } from './metrics.ts'

/** USER_HZ, the unit of CPU times in /proc: constant on Linux, see proc_pid_stat(5). */
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
    '99th percentile of the event loop delay since the last scrape.',
    'gauge',
    () => {
      const lag = delay.percentile(99) / 1e9
      delay.reset()
      return lag
    },
  )
  metrics.collect(
    'kinora_children_cpu_seconds_total',
    'CPU time of child processes that have ended, mainly ffmpeg. Linux only, and not with SANDBOX=bubblewrap.',
    'counter',
    childrenCpuSeconds,
  )
}

/** The kernel adds the CPU time of a child, and of its children, when the child ends. */
function childrenCpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // the program name may contain spaces and parentheses, so fields are counted after its last parenthesis
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
}
