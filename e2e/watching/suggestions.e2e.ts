import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, newUser, signIn } from '../fixtures/users.ts'

const boxOf = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const optionsOf = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')

test('the search field suggests titles and channels, chosen by arrow keys or mouse', async ({
  page,
  newVisitor,
}) => {
  const word = `zinnia${randomBytes(4).toString('hex')}`
  const owner = await signIn(page, await createAccount(page, newUser(`Falk ${word}`)))
  const id = await publish(page, `Rain on ${word}`)
  const visitor = await newVisitor()
  await visitor.goto('/')
  const [box, options] = [boxOf(visitor), optionsOf(visitor)]
  await box.pressSequentially(word.slice(0, -1))
  await expect(options).toHaveText([`Rain on ${word}`, `Falk ${word}@${owner.username}`])

  await box.press('ArrowDown')
  const [first, last] = [options.first(), options.last()]
  await expect(first).toHaveAttribute('aria-selected', 'true')
  const firstId = (await first.getAttribute('id')) ?? 'none'
  await expect(box).toHaveAttribute('aria-activedescendant', firstId)
  await box.press('ArrowUp')
  await expect(box).not.toHaveAttribute('aria-activedescendant')
  await box.press('ArrowUp')
  await expect(last).toHaveAttribute('aria-selected', 'true')
  await box.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(box).toHaveValue(word.slice(0, -1))

  await box.press('ArrowDown')
  await box.press('ArrowDown')
  await box.press('Enter')
  await visitor.waitForURL(`**/video/${id}`)
  // the new page takes the focus
  await expect(visitor.getByRole('main')).toBeFocused()
  await expect(options).toHaveCount(0)
  await expect(box).toHaveValue('')

  await box.fill(word)
  await last.click()
  // The page of a channel requires a session.
  await visitor.waitForURL('**/login')
})

test('Enter searches for the typed text while suggestions are shown @nightly', async ({ page }) => {
  const word = `aster${randomBytes(4).toString('hex')}`
  await signIn(page)
  await publish(page, `${word} in autumn`)
  await page.goto('/')
  await boxOf(page).fill(`${word} in`)
  await expect(optionsOf(page)).toHaveText([`${word} in autumn`])
  await boxOf(page).press('Enter')
  await page.waitForURL(`**/search/${word}%20in`)
  await page.getByRole('heading', { name: `Results found for '${word} in'` }).waitFor()
  await expect(optionsOf(page)).toHaveCount(0)
})

test('suggests recent searches until they are removed, and only to who made them @nightly', async ({
  page,
}) => {
  await page.goto('/')
  const [box, options] = [boxOf(page), optionsOf(page)]
  for (const text of ['quiet harbour', 'loud harbour']) {
    await box.fill(text)
    await box.press('Enter')
    await page.waitForURL(`**/search/${encodeURIComponent(text)}`)
  }
  await page.goto('/about')
  await box.click()
  await expect(options).toHaveText([/^loud harbour/, /^quiet harbour/])
  await box.fill('qui')
  await expect(options).toHaveText([/^quiet harbour/])
  await options.first().click()
  await page.waitForURL('**/search/quiet%20harbour')
  await expect(box).toHaveValue('quiet harbour')

  await page.goto('/about')
  await box.press('ArrowDown')
  await expect(options).toHaveText([/^quiet harbour/, /^loud harbour/])
  await box.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Forget' }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(options).toHaveText([/^loud harbour/])
  await expect(box).toBeFocused()
  await page.reload()
  await box.click()
  await expect(options).toHaveText([/^loud harbour/])

  await signIn(page)
  await page.goto('/about')
  await expect(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
  await box.click()
  await expect(box).toBeFocused()
  await expect(options).toHaveCount(0)
})
