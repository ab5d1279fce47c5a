import type { Locator } from 'playwright-core'

/** Presses Tab until the element has the focus, as somebody without a pointer gets there. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`${target} cannot be reached by Tab`)
}
