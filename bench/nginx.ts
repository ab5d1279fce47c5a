import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Starts nginx in an existing directory and waits until it responds at `url`. Throws if it is not installed or ends.
 */
export async function startNginx(
  directory: string,
  url: string,
  configuration: string,
): Promise<ChildProcess> {
  if (!hasNginx())
    throw new Error('This bench needs nginx: install it with `node scripts/setup.mjs --test-servers`.')
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, configuration)
  const child = spawn('nginx', ['-p', directory, '-e', join(directory, 'error.log'), '-c', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (;;) {
    const responds = await fetch(url).then(
      () => true,
      () => false,
    )
    if (responds) return child
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    await sleep(50)
  }
}
