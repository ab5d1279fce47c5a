import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { shareCompileCache } from './scripts/compile-cache.ts'

shareCompileCache()

/**
 * End-to-end tests in a real Chromium against the started product. A failure leaves a screenshot and the tree of the page
 * in `screenshots/failures/`. Traces take a fifth of the CPU time: `npm test -- e2e watch --trace=retain-on-failure`.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  // the night (CONTRIBUTING.md), which `npm test` leaves out
  ...(process.env['WITHOUT_NIGHT'] ? { grepInvert: /@nightly/ } : {}),
  outputDir: 'screenshots/failures',
  preserveOutput: 'failures-only',
  fullyParallel: true,
  // Each worker runs a browser and a site, which encodes video. On two cores, three workers take 1.6 times the CPU of two.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // Generous for slow machines; only failures wait this long.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
  },
})
