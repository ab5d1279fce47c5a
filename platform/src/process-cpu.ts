import { readFileSync } from 'node:fs'

/** Clock ticks of /proc in a second (USER_HZ), which Linux fixes for programs. */
const ticksPerSecond = 100

/** CPU time of this process and, on Linux, of its children that have ended, such as ffmpeg; in seconds. */
export function cpuSecondsOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + cpuSecondsOfChildren()
}

/** proc_pid_stat(5): `cutime` and `cstime`, counted after the program name, which may contain spaces. */
function cpuSecondsOfChildren(): number {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number)
  return (user + system) / ticksPerSecond
}
