import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, installLocked, root, step } from './steps.mjs'

const tooling = join(root, '.tooling/lighthouse')

/** Lighthouse for `npm run bench -- page`: too large to come with every installation. */
export async function ensureLighthouse() {
  const stamp = join(tooling, 'installed')
  const wanted = fingerprint(['scripts/lighthouse'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  await step('Fetching Lighthouse', () => installLocked('lighthouse', tooling))
  writeFileSync(stamp, wanted)
}
