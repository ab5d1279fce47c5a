import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../server/src/context/config.ts'
import { createLog } from '@kinora/platform/log.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { findPort } from '@kinora/platform/listen-address.ts'
import { prepareDataDir } from '@kinora/platform/files/data-dir.ts'
import { supervise } from '../server/src/supervisor/supervise.ts'

/**
 * Development mode: database, web and worker as in `npm start`, restarted when their files change, behind Vite with hot
 * module replacement.
 */
async function dev(): Promise<void> {
  const config = readConfig()
  prepareDataDir(config.dataDir)
  const port = await findPort(config.host, config.port, 0)
  const sitePort = await findPort('127.0.0.1', 0, 0)
  const log = createLog(config.logLevel, 'supervisor')
  const programs = join(import.meta.dirname, '../server/src/bin')
  const surroundings = {
    env: process.env,
    log,
    print: console.log,
    programFile: (name: string) => join(programs, `${name}.ts`),
  }
  const site = supervise({ ...config, host: '127.0.0.1', port: sitePort }, surroundings)

  let vite: ReturnType<typeof spawn> | undefined
  const stop = () => {
    vite?.kill()
    site.stop().then(() => process.exit(0), fail)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const server = await site.ready.catch(async (error: unknown) => {
    await site.stop()
    throw error
  })
  const root = join(import.meta.dirname, '..')
  const args = ['web', '--host', config.host, '--port', String(port), '--strictPort']
  vite = spawn(join(root, 'node_modules/.bin/vite'), args, {
    cwd: root,
    env: { ...process.env, KINORA_SERVER: server },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  onChange(
    ['contract', 'importers', 'live', 'media', 'platform', 'server'].map((name) => join(root, name, 'src')),
    () => site.restart(),
  )
}

/** Calls back once for a burst of changes: an editor saves several files, git exchanges hundreds. */
function onChange(directories: string[], restart: () => void): void {
  let timer: NodeJS.Timeout | undefined
  for (const directory of directories) {
    watch(directory, { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.ts') || file.endsWith('.test.ts')) return
      clearTimeout(timer)
      timer = setTimeout(restart, 100)
    })
  }
}

function fail(error: unknown): void {
  console.error(error instanceof StartupError || error instanceof ConfigError ? error.message : error)
  process.exit(1)
}

dev().catch(fail)
