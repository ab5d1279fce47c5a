import { user } from '@kinora/contract/examples/samples.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { getSiteSettings, putSiteSettings } from '@kinora/contract/operations/site.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const open = async (section = '') => {
  reply(getCurrentUser, { ...user, role: 'administrator' })
  await openPage(`/administration/settings${section}`)
}
const sections = page.getByRole('navigation', { name: 'Settings' })
const save = page.getByRole('button', { name: 'Save', exact: true })

test('each section has its Save, which says “Saved” until something is edited', async () => {
  reply(putSiteSettings, exampleData(putSiteSettings))
  await open()
  await expect.element(page.getByRole('heading', { name: 'Site', exact: true })).toBeVisible()
  await sections.getByRole('link', { name: 'Data' }).click()
  await expect.poll(() => location.pathname).toBe('/administration/settings/data')
  await page.getByLabelText('Back up every night').click()
  await save.click()
  await expect.element(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(callsOf(putSiteSettings).map(({ body }) => body)).toEqual([{ dailyBackup: false }])
  await page.getByLabelText('Days to undo an account deletion').fill('3')
  await expect.element(page.getByText('Saved', { exact: true })).not.toBeInTheDocument()
})

test('a section with unsaved changes is left only after a question', async () => {
  await open('/data')
  await page.getByLabelText('Days to undo an account deletion').fill('3')
  await sections.getByRole('link', { name: 'Mail' }).click()
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(page.getByLabelText('Days to undo an account deletion')).toHaveValue(3)
  await sections.getByRole('link', { name: 'Mail' }).click()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => location.pathname).toBe('/administration/settings/mail')
})

test('what the environment sets is shown with the names of its variables', async () => {
  const settings = exampleData(getSiteSettings)
  const environment = { SMTP_URL: null, MAIL_FROM: null, PUBLIC_URL: 'https://video.example.org' }
  reply(getSiteSettings, { ...settings, environment })
  await open('/mail')
  const list = page.getByRole('region', { name: 'Set on the server' })
  await expect.element(list).toMatchTextContent('Mail server SMTP_URLNot set')
  await expect.element(list).toMatchTextContent('PUBLIC_URLhttps://video.example.org')
  expect(save.elements()).toEqual([])
})

test('a phone chooses the section from a list', async () => {
  await page.viewport(390, 844)
  await open()
  await page.getByLabelText('Section').selectOptions('Comments')
  await expect.element(page.getByLabelText('Watched words', { exact: true })).toBeVisible()
  expect(sections.getByRole('link').elements()).toEqual([])
})
