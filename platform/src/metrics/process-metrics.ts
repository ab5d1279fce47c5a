import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Counter, type Registry } from 'prom-client'

/** USER_HZ, the unit of CPU times in /proc: constant on Linux, see proc_pid_stat(5). */
const ticksPerSecond = 100

/** Resource use of this process and of the child processes that it waited for. */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  const childrenCpu = new Counter({
    name: 'kinora_children_cpu_seconds_total',
    help: 'CPU time of child processes that have ended, mainly ffmpeg. Linux only, and not with SANDBOX=bubblewrap.',
    registers: [],
    collect() {
      this.reset()
      this.inc(childrenCpuSeconds())
    },
  })
  registry.registerMetric(childrenCpu)
}

/** The kernel adds the CPU time of a child, and of its children, when the child ends. Returns 0 outside Linux. */
function childrenCpuSeconds(): number {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // the program name may contain spaces and parentheses, so fields are counted after its last parenthesis
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
}
