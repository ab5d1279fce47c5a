import { ines, jonas, user, video } from '@kinora/contract/examples/samples.ts'
import { listSubscriptions, toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { getChannel, getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { listChannelVideos } from '@kinora/contract/videos/videos.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, disconnect, exampleData, openPage, rejection, reply, signOut } from '../../testing/site.tsx'

const tabs = page.getByRole('navigation', { name: 'Channel' }).getByRole('link')
const main = page.getByRole('main')
const nav = page.getByRole('navigation', { name: 'Main' })
const subscribe = page.getByRole('button', { name: 'Subscribe', exact: true })
const subscribed = page.getByRole('button', { name: 'Subscribed', exact: true })
const counted = () => document.querySelector('[data-count=subscribers]')?.textContent
const textsOf = (locator: ReturnType<typeof page.getByRole>) =>
  locator.elements().map(({ textContent }) => textContent)
const channel = { ...exampleData(getChannel), coverImage: null, subscribersCount: 0, isSubscribed: false }

let isSubscribed: boolean

beforeEach(() => {
  isSubscribed = false
  reply(getChannel, ({ params }) =>
    params['username'] === ines.username
      ? { ...channel, isSubscribed, subscribersCount: Number(isSubscribed) }
      : { ...channel, ...jonas, subscribedToCount: Number(isSubscribed) },
  )
  reply(toggleSubscription, () => {
    isSubscribed = !isSubscribed
    return { subbed: isSubscribed, totalSub: Number(isSubscribed) }
  })
})

test('every tab of a channel redirects visitors to the login page', async () => {
  signOut()
  for (const tab of [
    '',
    '/videos',
    '/subscribedto',
    '/dashboard',
    '/dashboard/upload',
    '/history',
    '/edit',
  ]) {
    await openPage(`/c/${ines.username}${tab}`)
    await expect.poll(() => location.pathname).toBe('/login')
  }
})

test('a channel neither redirects nor renders tabs before the session check finishes', async () => {
  const held = Promise.withResolvers<void>()
  reply(getCurrentUser, async () => {
    await held.promise
    return user
  })
  const path = `/c/${user.username}/edit`
  await openPage(path)
  await expect.element(page.getByRole('searchbox', { name: 'Search' })).toBeVisible()
  expect(location.pathname).toBe(path)
  expect(tabs.elements()).toEqual([])
  held.resolve()
  await expect.element(page.getByRole('form', { name: 'Details' })).toBeVisible()
})

test('a channel opens on its videos with five tabs for its owner and two for others', async () => {
  await openPage(`/c/${user.username}`)
  await expect.poll(() => location.pathname).toBe(`/c/${user.username}/videos`)
  await expect.element(page.getByRole('heading', { name: jonas.fullname, level: 1 })).toBeVisible()
  expect(textsOf(tabs)).toEqual(['Videos', 'Subscribed to', 'Dashboard', 'History', 'Edit'])
  await openPage(`/c/${ines.username}/`)
  await expect.poll(() => location.pathname).toBe(`/c/${ines.username}/videos`)
  await expect.element(page.getByRole('heading', { name: ines.fullname, level: 1 })).toBeVisible()
  expect(textsOf(tabs)).toEqual(['Videos', 'Subscribed to'])
})

test('owners see who can watch the videos of their channel, others do not', async () => {
  const hidden = { ...video, _id: 'hidden', title: 'Tide', visibility: 'unlisted' as const }
  reply(listChannelVideos, { userVideos: [video, hidden], nextCursor: null })
  await openPage(`/c/${user.username}/videos`)
  const card = main.getByRole('article').filter({ hasText: 'Tide' })
  await expect.element(card.getByText('Unlisted')).toBeVisible()
  expect(main.getByText('Public', { exact: true }).elements()).toEqual([])
  await openPage(`/c/${ines.username}/videos`)
  await expect.element(card).toBeVisible()
  expect(card.getByText('Unlisted').elements()).toEqual([])
})

test('tabs of the owner are not found for others, whose own username has no case', async () => {
  for (const tab of ['dashboard', 'dashboard/upload', 'dashboard/delete/x', 'history', 'edit']) {
    await openPage(`/c/${ines.username}/${tab}`)
    await expect.poll(() => location.pathname).toBe('/notfound')
  }
  reply(getChannel, () => rejection('not_found'))
  await openPage('/c/nobodyatall')
  await expect.poll(() => location.pathname).toBe('/notfound')
  const path = `/c/${user.username.toUpperCase()}/edit`
  reply(getChannel, { ...channel, ...jonas })
  await openPage(path)
  await expect.element(page.getByRole('form', { name: 'Details' })).toBeVisible()
  expect(location.pathname).toBe(path)
})

test('the header shows name and counts, and wraps long names on the narrowest phone', async () => {
  reply(getChannel, { ...channel, subscribedToCount: 0 })
  await openPage(`/c/${ines.username}`)
  await expect.element(main.getByRole('heading', { name: ines.fullname, level: 1 })).toBeVisible()
  await expect.element(main.getByText(`@${ines.username}`).first()).toBeVisible()
  expect(counted()).toBe('0')
  reply(listSubscriptions, { items: [], nextCursor: null })
  await main.getByRole('link', { name: '0 Subscribed' }).click()
  await expect.poll(() => location.pathname).toBe(`/c/${ines.username}/subscribedto`)
  await expect.element(page.getByText('Not subscribed to anyone yet')).toBeVisible()

  // A name of one long word takes two lines on the narrowest phone.
  await page.viewport(320, 700)
  const fullname = 'Wolfeschlegelsteinhausenbergerdorffhaus'
  reply(getChannel, { ...channel, fullname })
  await openPage(`/c/${ines.username}`)
  const name = main.getByRole('heading', { name: fullname, level: 1 })
  await expect.element(name).toBeVisible()
  await expect.poll(() => name.element().getBoundingClientRect().height).toBeLessThan(50)

  // A long username wraps instead of widening the page.
  const username = 'w'.repeat(73)
  reply(getChannel, { ...channel, username })
  await openPage(`/c/${username}`)
  await expect.element(main.getByText(`@${username}`).first()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(320)
})

test('a cover that fails to load is replaced by the default cover', async () => {
  reply(getChannel, { ...channel, coverImage: '/media/pictures/gone/1280.webp' })
  await openPage(`/c/${ines.username}`)
  await expect.element(main.getByRole('heading', { name: ines.fullname, level: 1 })).toBeVisible()
  await expect.poll(() => main.element().querySelector('img')?.getAttribute('src')).toMatch(/default-cover/)
})

test('subscribing is optimistic, persists, and rolls back on failure', async () => {
  const toggle = () => {
    isSubscribed = !isSubscribed
    return { subbed: isSubscribed, totalSub: Number(isSubscribed) }
  }
  reply(listSubscriptions, () => ({
    items: isSubscribed ? exampleData(listSubscriptions) : [],
    nextCursor: null,
  }))
  const refused = Promise.withResolvers<void>()
  reply(toggleSubscription, async () => {
    await refused.promise
    return disconnect()
  })
  await openPage(`/c/${ines.username}`)
  await subscribe.click()
  await expect.element(subscribed).toBeVisible()
  await expect.poll(counted).toBe('1')
  refused.resolve()
  await expect.element(subscribe).toBeVisible()
  await expect.poll(counted).toBe('0')

  reply(toggleSubscription, toggle)
  await subscribe.click()
  await expect.element(subscribed).toBeVisible()
  await expect.poll(counted).toBe('1')
  await expect.element(nav.getByRole('link', { name: ines.fullname })).toBeVisible()

  await openPage(`/c/${ines.username}`)
  await expect.element(subscribed).toBeVisible()
  await subscribed.dblClick()
  await expect.poll(() => callsOf(toggleSubscription)).toHaveLength(4)
  await expect.element(subscribed).toBeVisible()
  await expect.poll(counted).toBe('1')
  await openPage(`/c/${user.username}`)
  await expect.element(page.getByRole('link', { name: '1 Subscribed' })).toBeVisible()
})

test('a response older than a subscription does not undo it', async () => {
  await openPage(`/c/${ines.username}/videos`)
  await expect.element(subscribe).toBeVisible()
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await expect.element(page.getByRole('heading', { name: 'All videos' })).toBeInTheDocument()
  const held = Promise.withResolvers<void>()
  const asked = callsOf(getChannel).length
  reply(getChannel, async () => {
    await held.promise
    return channel
  })
  history.back()
  await expect.poll(() => callsOf(getChannel).length).toBe(asked + 1)
  await subscribe.click()
  await expect.poll(() => isSubscribed).toBe(true)
  await expect.poll(counted).toBe('1')
  held.resolve()
  // The page requests the videos after it has read the channel.
  await expect.poll(() => callsOf(listChannelVideos).length).toBeGreaterThan(0)
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  await expect.element(subscribed).toBeVisible()
  expect(counted()).toBe('1')
})

test('the side navigation shows five of twelve subscriptions, the list all that the server returns', async () => {
  const items = Array.from({ length: 11 }, (_, index) => ({
    createdAt: new Date(Date.UTC(2026, 0, 31 - index)).toISOString(),
    subscribedToName: { ...ines, username: `p${index}x7`, fullname: `Channel ${index}` },
  }))
  reply(listSubscriptions, { items, nextCursor: null })
  await openPage(`/c/${user.username}/subscribedto`)
  const names = main.getByText(/^@p\d+x7$/)
  await expect.element(names.nth(10)).toBeVisible()
  expect(textsOf(names)).toEqual(items.map(({ subscribedToName: { username } }) => `@${username}`))
  // An entry is not mistaken for the link to the list when its username ends in digits.
  await expect.element(page.getByRole('link', { name: /\d Subscribed/ })).toBeVisible()
  const list = nav.getByRole('list', { name: 'Subscriptions' })
  await expect.poll(() => list.getByRole('link').elements().length).toBe(5)
})

test('owners reach the analytics from their channel', async () => {
  reply(listChannelVideos, { userVideos: [video], nextCursor: null })
  await openPage(`/c/${user.username}`)
  await expect
    .element(main.getByRole('link', { name: 'Analytics', exact: true }))
    .toHaveAttribute('href', '/studio/analytics')
})
