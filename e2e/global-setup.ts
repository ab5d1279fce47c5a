import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import { chromiumPath } from '../scripts/chromium-path.ts'
import { generousLimits } from '../server/src/testing/fixtures/generous-limits.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the site runs that the journeys visit. */
    siteUrl: string
    chromiumPath: string
  }
}

const root = join(import.meta.dirname, '..')

/** Starts the product as `npm start` does, with data of its own; with BASE_URL the journeys visit that deployment. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromiumPath', chromiumPath())
  if (process.env.BASE_URL) {
    project.provide('siteUrl', process.env.BASE_URL)
    return async () => {}
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'kinora-e2e-'))
  const product = spawn(process.execPath, [join(root, 'server/src/start.ts')], {
    env: {
      ...process.env,
      ...generousLimits,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  project.provide('siteUrl', await untilReady(product))
  return async () => {
    product.kill('SIGTERM')
    await new Promise((resolve) => product.once('exit', resolve))
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

function untilReady(product: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!product.stdout) return
    const lines = createInterface({ input: product.stdout })
    lines.on('line', (line) => {
      const url = /^Kinora is ready at (\S+)/.exec(line)?.[1]
      if (url) resolve(url)
      else if (line.startsWith('{')) console.log(line)
    })
    product.once('exit', (code) => reject(new Error(`The product ended with ${code} before it was ready`)))
  })
}
