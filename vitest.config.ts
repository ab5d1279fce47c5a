import { availableParallelism } from 'node:os'
import { playwright } from '@vitest/browser-playwright'
import { configDefaults, defineConfig } from 'vitest/config'
import { messages } from './web/vite.config.ts'
import { findShell } from './scripts/chromium-path.ts'
import { shareCompileCache } from './scripts/compile-cache.ts'

/**
 * unit    pure code, beside the file it tests
 * server  features through HTTP on a real PostgreSQL, each file on its own database
 * components  parts of pages in Chromium, beside the file it tests: `<name>.component.test.tsx`
 * media   real ffmpeg on clips of two seconds: `<name>.media.test.ts`, and attacks on `media/src/`
 * s3      storage and its users against a real S3 server: `<name>.s3.test.ts`
 * start   `npm start`, the supervisor and the CLI as real processes, each site with a PostgreSQL of its own
 * chaos   the same under injected faults, with nothing beside it: only by name
 * cluster many processes behind a balancer: only by `npm run test:cluster`
 * image   the container image, built and run: only by `npm run test:image`
 * install  the service on a fresh Debian with systemd: only by `npm run test:install`
 * browsers  playback in Firefox and WebKit: only by `npm run test:browsers`
 *
 * End-to-end tests in Chromium run on Playwright Test: `playwright.config.ts`.
 *
 * `npm test` leaves out the night: files `<name>.abuse.test.ts`, `.drill`, `.s3` and `.nightly`, and tests with the tag `nightly`.
 */
const rules = ['server/src/features/**/rules.test.ts', 'server/src/features/**/rules/*.test.ts']
const pure = [
  '{contract,web}/src/**/*.test.{ts,tsx}',
  'importers/src/{feeds,lists}/*.test.ts',
  'live/src/**/*.test.ts',
  '{bench,scripts}/**/*.test.ts',
  'media/src/**/*.test.ts',
  'server/src/{context/config,app/process}.test.ts',
]
const components = ['web/src/**/*.component.test.tsx']
const media = ['**/*.media.test.ts', 'media/src/**/*.abuse.test.ts']
const s3 = ['{platform,server}/src/**/*.s3.test.ts']
const start = [
  'server/src/supervisor/**/*.test.ts',
  'server/src/cli/{cli.nightly,doctor.drill}.test.ts',
  'platform/src/db/embedded/embedded.nightly.test.ts',
]
const chaos = ['chaos/chaos.test.ts', 'chaos/live.test.ts']

/** The night (CONTRIBUTING.md), which `npm test` leaves out. */
const isWithoutNight = Boolean(process.env['WITHOUT_NIGHT'])
const night = isWithoutNight ? ['**/*.{abuse,drill,nightly,s3}.test.ts'] : []
const tags = [{ name: 'nightly', skip: isWithoutNight }]

/** Polled conditions may take long on a busy machine; a test continues as soon as one holds. */
const patient = { expect: { poll: { timeout: 30_000 } } }

/** How long a test may take before it counts as hanging; not even a slow machine under load comes near. */
const calm = { testTimeout: 120_000, hookTimeout: 120_000 }
const calmer = { testTimeout: 180_000, hookTimeout: 180_000 }

const sameCases = ['scripts/same-cases.ts']

/**
 * Files of one worker share its modules: a whole server takes more than a second to import. Modules keep no state that
 * a test could notice, and each file starts its own servers, databases and folders.
 */
const sharing = { isolate: false }

/**
 * Files that run side by side. Most of them wait for a database or a program, so there are more than cores; of more than
 * eight the one PostgreSQL that they share would run out of connections.
 */
const parallel = { ...patient, maxWorkers: Math.min(8, Math.max(3, availableParallelism())) }

shareCompileCache()

export default defineConfig({
  test: {
    tags,
    // a site that is stopped lets what it does end
    teardownTimeout: 120_000,
    projects: [
      {
        // Sources of the web mark their messages.
        plugins: messages,
        test: {
          ...parallel,
          ...calm,
          ...sharing,
          name: 'unit',
          include: [...pure, ...rules],
          exclude: [...media, ...components, ...night],
          setupFiles: [...sameCases, 'web/src/lib/i18n/messages.ts'],
        },
      },
      {
        extends: 'web/vite.config.ts',
        // Found during the tests, a dependency would reload the page under them.
        optimizeDeps: { entries: components },
        test: {
          ...patient,
          ...calm,
          name: 'components',
          root: '.',
          include: components,
          setupFiles: ['web/src/styles/global.css', 'web/src/lib/i18n/messages.ts'],
          browser: {
            enabled: true,
            provider: playwright({
              // The other projects need no browser.
              launchOptions: { executablePath: findShell() ?? '', args: ['--no-sandbox'] },
            }),
            instances: [{ browser: 'chromium' }],
            headless: true,
            screenshotFailures: false,
          },
        },
      },
      {
        test: {
          ...parallel,
          ...calm,
          ...sharing,
          name: 'server',
          include: [
            '{importers,platform}/src/**/*.test.ts',
            'server/src/{app,cli,context,features,http,testing}/**/*.test.ts',
          ],
          exclude: [...pure, ...rules, ...media, ...s3, ...start, ...night],
          setupFiles: sameCases,
          globalSetup: 'server/src/testing/global-setup.ts',
        },
      },
      {
        test: {
          ...parallel,
          ...calmer,
          name: 's3',
          include: s3,
          globalSetup: ['server/src/testing/global-setup.ts', 'server/src/testing/object-store-setup.ts'],
        },
      },
      {
        test: {
          ...parallel,
          ...calmer,
          name: 'media',
          include: media,
          exclude: [...configDefaults.exclude, ...night],
        },
      },
      {
        test: {
          ...parallel,
          name: 'start',
          include: start,
          exclude: [...s3, ...chaos, ...night],
          globalSetup: 'server/src/testing/site-template-setup.ts',
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
      { test: { ...patient, name: 'chaos', include: chaos, fileParallelism: false } },
      ...['image', 'install'].map((name) => ({
        test: {
          ...patient,
          name,
          include: [`server/src/**/*.${name}.ts`],
          testTimeout: 1_800_000,
          hookTimeout: 3_600_000,
        },
      })),
      {
        test: {
          ...patient,
          name: 'cluster',
          include: ['server/src/**/*.cluster.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          ...patient,
          name: 'browsers',
          include: ['e2e/browsers/*.browsers.ts'],
          globalSetup: 'e2e/browsers/global-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
