import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { publish } from './clips.ts'
import { test } from './journey.ts'
import { makeAccount, newPerson, picture, signIn } from './people.ts'

/** What a visitor or member sees, and what must be there before it counts as shown. */
type Screen = [path: string, shown: string]

const forVisitors: Screen[] = [
  ['/', 'article'],
  ['/about', 'h1'],
  ['/search/plank', 'article'],
  ['/search/nothingatall', 'h1'],
  ['/login', 'form[novalidate]'],
  ['/register', 'form[novalidate]'],
  ['/notfound', 'h1'],
]

const forMembers = (username: string, videoId: string): Screen[] => [
  ['/', 'article'],
  [`/c/${username}/videos`, 'article'],
  [`/c/${username}/subscribedto`, 'h1'],
  [`/c/${username}/history`, 'h1'],
  [`/c/${username}/dashboard`, '[role=group]'],
  [`/c/${username}/dashboard/upload`, 'dialog'],
  [`/c/${username}/dashboard/delete/${videoId}`, 'dialog'],
  [`/c/${username}/edit`, 'form'],
  [`/video/${videoId}`, 'video'],
  [`/video/${videoId}/share`, 'dialog'],
]

/** Every breach that axe finds, and whether anything hangs over the edge: light and wide, dark and narrow. */
async function breachesOf(page: Page, [path, shown]: Screen): Promise<string[]> {
  const found: string[] = []
  // a dialog that is still appearing has less contrast than it will have
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(path)
    await page.evaluate((mode) => localStorage.setItem('theme', mode), theme)
    await page.reload()
    await page.locator(shown).first().waitFor()
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, nodes } of violations) {
      found.push(`${path} ${theme} ${width}: ${id} at ${nodes.map(({ html }) => html).join(', ')}`)
    }
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overhang > 0) found.push(`${path} ${width}: ${overhang} px too wide`)
  }
  return found
}

test('every page for visitors holds WCAG and fits', { timeout: 120_000 }, async ({ page, newVisitor }) => {
  const owner = await newVisitor()
  await signIn(owner)
  await publish(owner, 'A plane, a plank')
  const found: string[] = []
  for (const screen of forVisitors) found.push(...(await breachesOf(page, screen)))
  expect(found).toEqual([])
})

test('every page for members holds WCAG and fits', { timeout: 180_000 }, async ({ page }) => {
  const { username } = await signIn(page)
  const videoId = await publish(page, 'A plane, a plank')
  const found: string[] = []
  for (const screen of forMembers(username, videoId)) found.push(...(await breachesOf(page, screen)))
  expect(found).toEqual([])
})

test('registering takes nothing but a keyboard', async ({ page }) => {
  const person = newPerson()
  const picker = page.waitForEvent('filechooser', { timeout: 30_000 })
  await page.goto('/register')
  await page.getByLabel('Full name').focus()
  for (const value of [person.fullname, person.email, person.username, person.password]) {
    await page.keyboard.type(value)
    await page.keyboard.press('Tab')
  }
  // The picker itself belongs to the system; it opens from the focused field.
  await page.keyboard.press('Space')
  await (await picker).setFiles(picture)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/')
})

test('the menu of a phone holds the focus and gives it back', async ({ page }) => {
  const channel = await makeAccount(page)
  await signIn(page)
  await page.request.post(`/api/v1/sub/channel/${channel.username}`)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/')
  const more = page.getByRole('button', { name: 'More' })
  await more.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'More' })
  await sheet.getByRole('link', { name: channel.fullname }).waitFor()
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.press('Tab')
    const isOutside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    )
    expect(isOutside).toBe(false)
  }
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await more.evaluate((button) => button === document.activeElement)).toBe(true)
})
