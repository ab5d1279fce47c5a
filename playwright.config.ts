import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { shareCompileCache } from './scripts/compile-cache.ts'

shareCompileCache()

/**
 * End-to-end tests in a real Chromium against the started product. A failure leaves a trace and screenshots in
 * `screenshots/failures/`; `npx playwright show-trace <file>` opens a trace.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'screenshots/failures',
  preserveOutput: 'failures-only',
  fullyParallel: true,
  // Each worker runs a browser and a site, which encodes video.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // Generous for slow machines; only failures wait this long.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
})
