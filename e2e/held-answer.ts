import type { Page } from 'playwright-core'

/**
 * Keeps back what the server answers to the second of some calls: it was true when it was asked for, and comes when the
 * page knows better.
 */
export async function holdSecondAnswer(page: Page, calls: string) {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  let count = 0
  await page.route(calls, async (route) => {
    count += 1
    if (count !== 2) return route.continue()
    const response = await route.fetch()
    asked.resolve()
    await held.promise
    // A page that has thought better of it takes no answer.
    await route.fulfill({ response }).catch(() => {})
    told.resolve()
  })
  return {
    asked: asked.promise,
    /** Lets it go, and settles once the page has had the time to make something of it. */
    async release(): Promise<void> {
      held.resolve()
      await told.promise
      await untilTaken(page)
    },
  }
}

/** Settles once a page has had the time to make something of what it was answered before. */
export async function untilTaken(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await fetch('/healthz')
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  })
}
