import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { startSite } from '../fixtures/site.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, newUser, profilePicture, registering } from '../fixtures/users.ts'

test('an owner sets up an empty site, and approves the first comment with a watched word', async ({
  browser,
  pageErrors,
}) => {
  const site = await startSite()
  const baseURL = site.url
  const [owner, guest] = await Promise.all([browser.newContext({ baseURL }), browser.newContext({ baseURL })])
  for (const context of [owner, guest]) context.on('weberror', (event) => pageErrors.push(event.error()))
  try {
    const page = await owner.newPage()
    await page.goto(`${site.url}/setup`)
    await page.getByText("This page isn't available").waitFor()
    await page.goto(await site.setupUrl())
    await page.reload()
    await page.getByRole('heading', { name: 'Set up your site' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByLabel('Full name').fill('Ines Falk')
    await page.getByLabel('Email').fill('ines@kinora.example')
    await page.getByLabel('Username').fill('ines')
    await page.getByLabel('Accent colour').fill('#ffd400')
    await page.getByLabel('People will upload from iPhones and cameras').check()
    await page.getByLabel('Name', { exact: true }).fill('Harbour TV')
    await page.getByRole('button', { name: 'Set up the site' }).click()
    await page.getByText('Text in this colour cannot be read').first().waitFor()
    await expect(page.getByLabel('Password')).toBeFocused()
    await page.getByLabel('Password').fill('linocut-heron')
    await page.getByLabel('Accent colour').fill('#8a1c5b')
    await page.getByRole('button', { name: 'Set up the site' }).click()
    await page.getByRole('link', { name: 'Harbour TV home' }).waitFor()

    await page.getByRole('link', { name: 'Let the site send mail' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Site' }).click()
    const section = async (name: string) =>
      page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
    const save = async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    }
    await section('Media')
    await expect(page.getByRole('checkbox', { name: 'QuickTime (MOV)' })).toBeChecked()
    await section('Comments')
    await page.getByLabel('Watched words', { exact: true }).fill('casino')
    await save()
    await section('People')
    await page.getByLabel('Check registrations by proof of work').check()
    await save()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await section('Site')
    await page.getByLabel('Name', { exact: true }).fill('Harbour Television')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const home = page.getByRole('link', { name: 'Harbour Television home' })
    await home.waitFor()
    await expect(page).toHaveTitle('Settings · Administration · Harbour Television')
    await page.getByLabel('Logo').setInputFiles(profilePicture)
    await page.getByRole('button', { name: 'Save logo' }).click()
    await home.locator('img').waitFor()
    const id = await publish(page, 'Boats at dawn')

    const visitor = await guest.newPage()
    const user = newUser()
    await expect(createAccount(visitor, user)).rejects.toThrow('proof_of_work_required')
    await visitor.goto('/register')
    await visitor.getByLabel('Full name').fill(user.fullname)
    await visitor.getByLabel('Email').fill(user.email)
    await visitor.getByLabel('Username').fill(user.username)
    await visitor.getByLabel('Password').fill(user.password)
    await visitor.getByLabel('Profile picture').setInputFiles(profilePicture)
    await visitor.getByRole('main').locator('button[type=submit]').click()
    await visitor.waitForURL((url) => url.pathname === '/', registering)
    await visitor.request.post('/api/v1/comment/add', {
      data: { videoId: id, content: 'The casino of the harbour' },
    })
    const listed = async () => (await (await fetch(`${site.url}/api/v1/comment/get/${id}`)).json()).data
    expect(await listed()).toEqual([])
    await page.goto(`/video/${id}`)
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(listed).toMatchObject([{ content: 'The casino of the harbour' }])
  } finally {
    await Promise.all([owner.close(), guest.close()])
    await site.stop()
  }
})
