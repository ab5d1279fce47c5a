import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { notificationKinds } from '@kinora/contract/constants.ts'
import type { NotificationKind } from '@kinora/contract/messages/notifications.ts'
import { mutedQuery } from './api.ts'
import { PushSettings, pushesQuery } from './push-settings.tsx'

afterEach(() => vi.unstubAllGlobals())

const shown = (text: string) => page.getByText(text, { exact: false })

const show = (isOn = false, mutedOnSite: NotificationKind[] = []) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  const pushes = { publicKey: 'abc', endpoint: null, muted: ['subscriber' as const], isOn }
  client.setQueryData(pushesQuery.queryKey, pushes)
  client.setQueryData(mutedQuery.queryKey, { muted: mutedOnSite, kinds: [...notificationKinds] })
  return render(
    <QueryClientProvider client={client}>
      <PushSettings />
    </QueryClientProvider>,
  )
}

const stubPermission = (permission: NotificationPermission) =>
  vi.stubGlobal('Notification', { permission, requestPermission: async () => permission })

test('says that a site without TLS notifies no device', async () => {
  vi.stubGlobal('isSecureContext', false)
  await show()
  await expect.element(shown('only at an https address')).toBeVisible()
  expect(page.getByRole('button').elements()).toEqual([])
})

test.each([
  ['a browser without push', navigator.userAgent, 'This browser does not support web push'],
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)', 'add to Home Screen'],
])('says what %s needs', async (_, userAgent, text) => {
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints: 0 })
  await show()
  await expect.element(shown(text)).toBeVisible()
  expect(page.getByRole('button').elements()).toEqual([])
})

test('says what to do where the browser blocks messages, and offers no button', async () => {
  stubPermission('denied')
  await show()
  await expect.element(shown('Your browser blocks notifications')).toBeVisible()
  expect(page.getByRole('button').elements()).toEqual([])
})

test('asks for the permission only at the press of the button, and shows a refusal', async () => {
  const asked = vi.fn<() => void>()
  vi.stubGlobal('Notification', {
    permission: 'default',
    requestPermission: async () => {
      asked()
      vi.stubGlobal('Notification', { permission: 'denied' })
      return 'denied'
    },
  })
  await show()
  await expect.element(shown('Off.')).toBeVisible()
  expect(asked).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Notify on this device' }).click()
  await expect.element(shown('Your browser blocks notifications')).toBeVisible()
  expect(asked).toHaveBeenCalledOnce()
})

test('shows a failure where the browser cannot subscribe', async () => {
  stubPermission('granted')
  await show()
  await page.getByRole('button', { name: 'Notify on this device' }).click()
  await expect.element(shown('could not reach its push service')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Notify on this device' })).toBeVisible()
})

test('a device that is on chooses kinds, and can be stopped', async () => {
  stubPermission('granted')
  await show(true)
  await expect.element(shown('On.')).toBeVisible()
  await expect.element(page.getByLabelText('New subscribers, on devices')).not.toBeChecked()
  await expect.element(page.getByLabelText('Comments on your videos, on devices')).toBeChecked()
  await expect.element(page.getByRole('button', { name: 'Stop on this device' })).toBeVisible()
})

test('kinds that are switched off on the site are off on devices too', async () => {
  stubPermission('granted')
  await show(true, ['comment'])
  const comments = page.getByLabelText('Comments on your videos, on devices')
  await expect.element(comments).not.toBeChecked()
  await expect.element(comments).toBeDisabled()
  await expect.element(shown('switched off above')).toBeVisible()
})
