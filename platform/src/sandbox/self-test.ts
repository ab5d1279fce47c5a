import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MAX_PROCESSES, runInSandbox, type Sandbox, sandboxTools } from './sandbox.ts'

/** Attempts made inside the sandbox. */
const attempts = [
  'read',
  'unlink',
  'rename',
  'truncate',
  'mmap',
  'kill',
  'ptrace',
  'remount',
  'connect',
  'fork',
] as const
type Attempt = (typeof attempts)[number]

/** `prevented`: attempts that the sandbox prevented. Attempts that this machine cannot make are in neither list. */
export type SandboxReport = { prevented: Attempt[]; open: Attempt[] }

/**
 * Prints the attempts that succeed. A shared writable mapping needs the file open for writing. Tracing needs the same
 * permission as opening the memory of a process. Nothing listens on port 9: a refused connection shows that the network
 * is reachable.
 */
const script = `
cat "$1/beside" > /dev/null && echo read
rm -f "$1/unlink" "$1/beside-unlink"
mv "$1/rename" "$1/renamed"; mv "$1/beside-rename" "$1/renamed"
truncate -s 0 "$1/truncate" "$1/beside-truncate"
{ : ; } 1<> "$1/mmap" && echo mmap
# in a PID namespace, the number may be that of another process
[ "$(cat "/proc/$2/comm")" = "$5" ] && kill -0 "$2" && echo kill
{ : ; } < "/proc/$2/mem" && echo ptrace
if [ "$3" = isolated ]; then mount -o remount,rw,bind /usr && echo remount; fi
if command -v bash; then
  bash -c 'exec 3<> /dev/tcp/127.0.0.1/9' 2>&1 | grep -qi 'refused' && echo connect
else echo no-connect
fi
[ "$(prlimit --nproc --output SOFT --noheadings --raw)" -le "$4" ] || echo fork
echo end`

const victims = ['unlink', 'rename', 'truncate'] as const
const content = 'untouched'

/**
 * Attempts in a sandbox what an exploited decoder would, and reports what was prevented. Takes about as long as
 * encoding one thumbnail.
 */
export async function testSandbox(sandbox: Sandbox): Promise<SandboxReport> {
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-sandbox-'))
  try {
    await chmod(directory, 0o755)
    const inputs = [...victims, 'mmap'].map((name) => path.join(directory, name))
    const besides = ['beside', ...victims.map((name) => `beside-${name}`)]
    const files = [...inputs, ...besides.map((name) => path.join(directory, name))]
    await Promise.all(files.map((file) => writeFile(file, content, { mode: 0o640 })))
    const isIsolated = sandbox.name === 'bubblewrap' || sandbox.name === 'namespaces'
    const ownName = await readFile('/proc/self/comm', 'utf8').catch(() => '')
    const isolation = isIsolated ? 'isolated' : 'open'
    const values = [directory, process.pid, isolation, MAX_PROCESSES, ownName.trim()].map(String)
    const command = ['sh', '-c', script, 'sh', ...values]
    const { output } = await runInSandbox(sandbox, command, {
      reads: inputs,
      memoryBytes: 2 ** 30,
      timeoutMs: 20_000,
    })
    const lines = output.split('\n')
    if (!lines.includes('end')) return { prevented: [], open: [] }
    const isChanged = (name: string) =>
      [name, `beside-${name}`].some((one) => {
        const file = path.join(directory, one)
        return !existsSync(file) || readFileSync(file, 'utf8') !== content
      })
    const succeeded = new Set<string>([...lines, ...victims.filter(isChanged)])
    // outside of a mount namespace the attempt would change this machine
    if (!isIsolated && sandbox.keepsRoot) succeeded.add('remount')
    const tried = attempts.filter((one) => one !== 'connect' || !lines.includes('no-connect'))
    return {
      prevented: tried.filter((one) => !succeeded.has(one)),
      open: tried.filter((one) => succeeded.has(one)),
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Advice to the operator about the sandbox; undefined if there is none. */
export function sandboxAdvice({ name, keepsRoot }: Sandbox): string | undefined {
  const hasBwrap = sandboxTools().some((tool) => tool.name === 'bwrap' && tool.isThere)
  const advice = [
    ...(process.getuid?.() === 0
      ? [
          `Kinora runs as root${keepsRoot ? ', and so does ffmpeg' : ''}: start it as a user of its own (docs/operations/sandbox.md).`,
        ]
      : []),
    ...(name === 'bubblewrap'
      ? []
      : [
          hasBwrap
            ? 'bwrap is installed but may not create namespaces here: allow user namespaces on this system or in this container.'
            : 'Install bubblewrap (apt install bubblewrap).',
        ]),
  ]
  return advice.length > 0 ? advice.join(' ') : undefined
}
