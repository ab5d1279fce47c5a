import { putChannelProfile } from '@kinora/contract/watching/channels.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, openPage } from '../../testing/site.tsx'

const settings = page.getByRole('navigation', { name: 'Settings' })
const heading = (name: string) => page.getByRole('main').getByRole('heading', { name, level: 2 })

test('every setting of an account is in one of six sections, those for developers last', async () => {
  await openPage('/account')
  await expect.element(page.getByRole('form', { name: 'Details' })).toBeVisible()
  expect(
    settings
      .getByRole('link')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Profile',
    'Sign-in and security',
    'Notifications',
    'Language and playback',
    'Your data',
    'For developers',
  ])
  for (const [section, shown] of [
    ['Sign-in and security', 'Devices'],
    ['Notifications', 'Notification settings'],
    ['Language and playback', 'Playback'],
    ['Your data', 'Stored data'],
    ['For developers', 'API tokens'],
  ] as const) {
    await settings.getByRole('link', { name: new RegExp(section) }).click()
    await expect.element(heading(shown)).toBeVisible()
    await expect
      .element(settings.getByRole('link', { name: new RegExp(section) }))
      .toHaveAttribute('aria-current', 'page')
  }
  await openPage('/account/nothing')
  await expect.element(page.getByRole('button', { name: 'Go Back' })).toBeVisible()
})

test('the channel is customized in the profile, and says that it is saved', async () => {
  await openPage('/account')
  await page
    .getByRole('navigation', { name: 'Profile' })
    .getByRole('link', { name: 'Channel', exact: true })
    .click()
  const channel = page.getByRole('region', { name: 'Customize channel' })
  await channel.getByLabelText('About').fill('Salt pans')
  await channel.getByLabelText('Links').fill('no address')
  await channel.getByRole('button', { name: 'Save' }).click()
  await expect.element(channel.getByLabelText('Links')).toHaveFocus()
  expect(callsOf(putChannelProfile)).toEqual([])
  await channel.getByLabelText('Links').fill('example.org')
  await channel.getByRole('button', { name: 'Save' }).click()
  await expect.element(channel.getByRole('status')).toHaveTextContent('Saved')
  expect(callsOf(putChannelProfile)[0]?.body).toMatchObject({ about: 'Salt pans' })
})

test('choices of the player are kept in the browser', async () => {
  await openPage('/account/language')
  const next = page.getByLabelText('Play the next video at the end of this one')
  await expect.element(next).not.toBeChecked()
  await next.click()
  await openPage('/account/language')
  await expect.element(next).toBeChecked()
})
