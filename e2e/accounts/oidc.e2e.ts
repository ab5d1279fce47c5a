import type { Page } from 'playwright-core'
import { startIdentityProvider } from '../../server/src/testing/servers/identity-provider.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { startSite } from '../fixtures/site.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const providerButton = (page: Page) => page.getByRole('button', { name: 'Continue with Club' })
const channelLink = (page: Page) => page.getByRole('link', { name: 'Your channel' })
const connections = (page: Page) => page.getByRole('list', { name: 'Identity providers' })

async function signInAtProvider(page: Page): Promise<void> {
  await page.goto('/login')
  await providerButton(page).click()
  await channelLink(page).waitFor()
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout')
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
}

test('an identity provider signs people in: a new account, and one that its owner connects @nightly', async ({
  browser,
  pageErrors,
}) => {
  test.skip(Boolean(process.env.BASE_URL), 'the site has to know the provider')
  // another site than the provider, as in life: cookies have to survive the way there and back
  const port = await findQuietPort()
  const url = `http://localhost:${port}`
  const provider = await startIdentityProvider(`${url}/oidc/club`)
  const site = await startSite({
    PORT: String(port),
    PUBLIC_URL: url,
    OIDC_PROVIDERS: provider.setting,
  })
  const open = async () => {
    const context = await browser.newContext({ baseURL: url })
    context.on('weberror', (event) => pageErrors.push(event.error()))
    return context.newPage()
  }
  const [newcomer, member] = await Promise.all([open(), open()])
  try {
    provider.expect({
      sub: 'lena',
      email: 'lena@club.example',
      name: 'Lena Wolf',
      preferred_username: 'lena',
    })
    await signInAtProvider(newcomer)
    await newcomer.goto('/account/security')
    await expect(connections(newcomer).getByRole('listitem')).toContainText(/^Club.*Connected/)
    expect(await findAccessibilityIssues(newcomer)).toEqual([])
    await newcomer.goto('/c/lena')
    await newcomer.getByRole('heading', { name: 'Lena Wolf' }).waitFor()
    await signOut(newcomer)
    await signInAtProvider(newcomer)
    await newcomer.goto('/c/lena')
    await newcomer.getByRole('heading', { name: 'Lena Wolf' }).waitFor()

    const user = await signIn(member)
    provider.expect({ sub: 'ines', email: user.email, preferred_username: 'ines' })
    await member.goto('/account/security')
    await member.getByRole('button', { name: 'Connect Club' }).click()
    const dialog = member.getByRole('dialog', { name: 'Connect Club' })
    await dialog.getByLabel('Password').fill(user.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await member.getByRole('button', { name: 'Disconnect Club' }).waitFor()
    await signOut(member)
    await signInAtProvider(member)
    await expect(channelLink(member)).toHaveAttribute('href', `/c/${user.username}/videos`)
    await member.goto('/account/security')
    await member.getByRole('button', { name: 'Disconnect Club' }).click()
    await member.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await member.getByRole('status').filter({ hasText: 'Club is disconnected' }).waitFor()

    // the address of the account alone connects nothing
    await signOut(member)
    await member.goto('/login')
    await providerButton(member).click()
    await member.getByRole('alert').filter({ hasText: 'An account with this email address exists' }).waitFor()
    expect(await findAccessibilityIssues(member)).toEqual([])
    await member.getByRole('link', { name: 'Back to the login page' }).click()
    await providerButton(member).waitFor()
  } finally {
    await Promise.all([newcomer, member].map((page) => page.context().close()))
    await site.stop()
    await provider.close()
  }
})
