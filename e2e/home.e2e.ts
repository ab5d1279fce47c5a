import { expect } from 'vitest'
import { test } from './journey.ts'

test('a visitor opens the home page and finds the way to sign in', async ({ page }) => {
  const response = await page.goto('/')
  expect(response?.status()).toBe(200)
  expect(await page.title()).toContain('Kinora')
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await page.waitForURL('**/login')
})
