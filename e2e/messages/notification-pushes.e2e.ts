import { chromiumPath } from '../../scripts/chromium-path.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

// the headless shell shows no notifications
test.use({ launchOptions: { executablePath: chromiumPath(), args: ['--no-sandbox'] } })

test('the service worker shows a pushed notification, whose click marks it as read', async ({
  page,
  context,
  newVisitor,
  siteUrl,
}) => {
  const { username } = await signIn(page)
  const viewer = await newVisitor()
  await signIn(viewer)
  await viewer.request.post(`/api/v1/sub/channel/${username}`)
  const unread = async () =>
    (await (await page.request.get('/api/v1/notifications/unread')).json()).data.unread
  expect(await unread()).toBe(1)
  const [notification] = (await (await page.request.get('/api/v1/notifications')).json()).data
  await context.grantPermissions(['notifications'])
  const browser = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const active = versions.find(({ status }) => status === 'activated')
      if (active) resolve(active.registrationId)
    })
  })
  await browser.send('ServiceWorker.enable')
  await page.goto('/notifications')
  await page.evaluate(() => navigator.serviceWorker.register('/service-worker.js').then(() => undefined))
  const registrationId = await registered
  const message = {
    id: notification._id,
    kind: 'subscriber',
    title: 'Kinora',
    body: 'Ada subscribed',
    path: '/',
  }
  const push = () =>
    browser.send('ServiceWorker.deliverPushMessage', {
      origin: siteUrl,
      registrationId,
      data: JSON.stringify(message),
    })
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`)
    })
  // DevTools drop a message while the worker is busy with its start.
  await expect(async () => {
    await push()
    await expect.poll(shown, { timeout: 5000 }).toEqual(['Kinora: Ada subscribed'])
  }).toPass()
  await push()
  await expect.poll(shown).toEqual(['Kinora: Ada subscribed'])
  const [worker] = context.serviceWorkers()
  await worker?.evaluate(async () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- the types of this file are those of pages
    const scope = globalThis as any
    const [clicked] = await scope.registration.getNotifications()
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification: clicked }))
  })
  await expect.poll(shown).toEqual([])
  await expect.poll(unread).toBe(0)
})
