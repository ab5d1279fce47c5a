import type { TestProject } from 'vitest/node'
import { startSite } from '../fixtures/site.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the site under test. */
    siteUrl: string
  }
}

/** One site for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const site = await startSite()
  project.provide('siteUrl', site.url)
  return () => site.stop()
}
