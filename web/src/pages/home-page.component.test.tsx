import { ines, jonas, user, video } from '@kinora/contract/examples/samples.ts'
import { listComments } from '@kinora/contract/conversation/comments.ts'
import { listFeed, listSubscriptions, toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { listCategories, listVideos } from '@kinora/contract/videos/videos.ts'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { settings } from '../lib/settings.ts'
import { callsOf, openPage, reply, signOut } from '../testing/site.tsx'

const nav = page.getByRole('navigation', { name: 'Main' })
const about = page.getByRole('heading', { name: 'About Kinora' })
const skeletons = (kind: string) => document.querySelectorAll(`[data-skeleton="${kind}"]`).length

test('the home page links visitors to the login page', async () => {
  signOut()
  await openPage('/')
  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect.poll(() => location.pathname).toBe('/login')
})

test('a response without a list keeps the page frame', async () => {
  reply(listVideos, () => Response.json({ data: null }))
  await openPage('/')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Kinora home' })).toBeVisible()
  await openPage('/notfound')
  await expect.element(page.getByRole('button', { name: 'Go Back' })).toBeVisible()
})

test('the home page leads to popular videos, the categories that have videos, and channels', async () => {
  reply(listCategories, ['music', 'travel'])
  await openPage('/')
  const links = page.getByRole('list', { name: 'Browse' }).getByRole('link')
  await expect
    .poll(() => links.elements().map(({ textContent }) => textContent))
    .toEqual(['Newest', 'Popular', 'Music', 'Travel', 'Channels'])
  await expect.element(links.first()).toHaveAttribute('aria-current', 'page')
  await links.nth(1).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Popular' })).toBeVisible()
  await expect.element(page.getByRole('article')).toBeVisible()
  await links.nth(4).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Channels' })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/channels')
})

test('the home page leads to live streams where the site has them', async () => {
  settings.live = true
  onTestFinished(() => {
    settings.live = false
  })
  await openPage('/')
  const links = page.getByRole('list', { name: 'Browse' }).getByRole('link')
  await links.nth(2).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Live and upcoming' })).toBeVisible()
  await expect.element(links.nth(2)).toHaveAttribute('aria-current', 'page')
})

test('an empty home page leads to announced streams', async () => {
  settings.live = true
  onTestFinished(() => {
    settings.live = false
  })
  reply(listVideos, { items: [], nextCursor: null })
  await openPage('/')
  await expect.element(page.getByRole('heading', { name: 'No videos yet' })).toBeVisible()
  await page.getByRole('list', { name: 'Browse' }).getByRole('link', { name: 'Live' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Live and upcoming' })).toBeVisible()
})

test('members subscribe in the list of channels, visitors only read it', async () => {
  const item = page.getByRole('list', { name: 'Channels' }).getByRole('listitem')
  const subscribe = item.getByRole('button', { name: 'Subscribe', exact: true })
  await openPage('/channels')
  await subscribe.click()
  await expect.element(item.getByRole('button', { name: 'Subscribed' })).toBeVisible()
  expect(callsOf(toggleSubscription).map(({ params }) => params)).toEqual([{ username: ines.username }])
  signOut()
  await openPage('/channels')
  await expect.element(item.getByText(ines.fullname)).toBeVisible()
  expect(subscribe.elements()).toEqual([])
})

test('members who follow nobody find channels in their empty feed', async () => {
  reply(listFeed, { items: [], nextCursor: null })
  reply(getCurrentUser, { ...user, subscribedToCount: 0 })
  await openPage(`/c/${user.username}/subscribedto`)
  await expect.element(page.getByText('Nothing new yet')).toBeVisible()
  const channels = page.getByRole('list', { name: 'Channels' })
  await expect.element(channels.getByRole('button', { name: 'Subscribe' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Browse channels' }))
    .toHaveAttribute('href', '/channels')
  reply(getCurrentUser, { ...user, subscribedToCount: 1 })
  await openPage(`/c/${user.username}/subscribedto`)
  await expect.element(page.getByText('Nothing new yet')).toBeVisible()
  expect(channels.elements()).toEqual([])
})

test('loading shows ten card and five subscription placeholders', async () => {
  const held = Promise.withResolvers<void>()
  reply(listVideos, async () => {
    await held.promise
    return { items: [video], nextCursor: null }
  })
  reply(listSubscriptions, async () => {
    await held.promise
    return { items: [], nextCursor: null }
  })
  await openPage('/')
  await expect.poll(() => [skeletons('video-card'), skeletons('subscription')]).toEqual([10, 5])
  held.resolve()
  await expect.poll(() => document.querySelectorAll('[data-skeleton]').length).toBe(0)
  await expect.element(page.getByRole('article')).toBeVisible()
})

test('the side navigation sends visitors to the login page and members to their own pages', async () => {
  signOut()
  for (const name of ['Subscriptions', 'History']) {
    await openPage('/')
    await nav.getByRole('link', { name }).click()
    await expect.poll(() => location.pathname).toBe('/login')
  }
  expect(nav.getByRole('link', { name: 'My Channel' }).elements()).toEqual([])
  const held = Promise.withResolvers<void>()
  reply(getCurrentUser, async () => {
    await held.promise
    return user
  })
  await openPage('/')
  // Clicked before the session check finishes.
  await nav.getByRole('link', { name: 'Subscriptions' }).click()
  held.resolve()
  await expect.poll(() => location.pathname).toBe(`/c/${user.username}/subscribedto`)
  await nav.getByRole('link', { name: 'History' }).click()
  await expect.poll(() => location.pathname).toBe(`/c/${user.username}/history`)
  await nav.getByRole('link', { name: 'Home' }).click()
  await expect.poll(() => location.pathname).toBe('/')
})

test('keeps the current page when the session check finishes after navigation', async () => {
  const held = Promise.withResolvers<void>()
  reply(getCurrentUser, async () => {
    await held.promise
    return user
  })
  await openPage('/')
  await nav.getByRole('link', { name: 'History' }).click()
  await page.getByRole('link', { name: 'About Kinora' }).click()
  await expect.element(about).toBeVisible()
  held.resolve()
  await expect.element(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  expect(location.pathname).toBe('/about')
})

test('pages accept a trailing slash', async () => {
  signOut()
  for (const [path, heading] of [
    ['/about/', 'About Kinora'],
    ['/login/', 'Login'],
    ['/register/', 'Register'],
  ] as const) {
    await openPage(path)
    await expect.element(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
})

test('the skip link focuses the content, and navigation focuses the new page', async () => {
  await openPage('/')
  await expect.element(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
  ;(document.activeElement as HTMLElement).blur()
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('Skip to content')
  await page.getByRole('link', { name: 'About Kinora' }).click()
  await expect.element(about).toBeVisible()
  await expect.poll(() => document.activeElement?.id).toBe('main')
  expect(document.title).toBe('About · Kinora')
  await expect
    .element(
      page.getByText(/specified as a practice project.*hobbyist developer.*Mongo\/Express\/React\/Node/),
    )
    .toBeVisible()
})

test('subscriptions are in the side navigation, on phones under More', async () => {
  const more = nav.getByRole('button', { name: 'More' })
  const subscription = nav
    .getByRole('list', { name: 'Subscriptions' })
    .getByRole('link', { name: /Ines Falk/ })
  const isInSight = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight && right > left
  }
  await openPage('/about')
  for (const [width, height] of [
    [1440, 900],
    [1000, 660],
    [640, 960],
  ] as const) {
    await page.viewport(width, height)
    expect(more.elements()).toEqual([])
    for (const shown of [
      subscription,
      nav.getByRole('link', { name: 'Logout' }),
      nav.getByRole('link', { name: 'Studio' }),
    ]) {
      await expect.element(shown).toBeVisible()
      await expect.poll(() => isInSight(shown.element()), { message: `${width}` }).toBe(true)
    }
  }
  const sheet = page.getByRole('dialog')
  await page.viewport(390, 844)
  await expect.element(subscription).not.toBeInTheDocument()
  await more.click()
  await expect.element(sheet.getByRole('link', { name: /Ines Falk/ })).toBeVisible()
  // After the subscriptions, what the dock has no room for.
  const entries = sheet.getByRole('list').last().getByRole('listitem')
  expect(entries.elements().map(({ textContent }) => textContent)).toEqual([
    'Logout',
    'Library',
    'Settings',
    'Studio',
  ])
  await sheet.getByRole('link', { name: 'Settings' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.poll(() => location.pathname).toBe('/account')
})

test('visitors on phones find language, rules, privacy and contact under More', async () => {
  signOut()
  await page.viewport(390, 844)
  await openPage('/about')
  await nav.getByRole('button', { name: 'More' }).click()
  const sheet = page.getByRole('dialog', { name: 'More' })
  await expect.element(sheet.getByRole('combobox', { name: 'Language' })).toBeVisible()
  await sheet.getByRole('link', { name: 'Privacy' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.poll(() => location.pathname).toBe('/privacy')
})

test('the top bar persists across navigation, with or without a side navigation', async () => {
  reply(listComments, { items: [], nextCursor: null })
  reply(listVideos, { items: [{ ...video, videoOwner: jonas }], nextCursor: null })
  await openPage('/')
  const link = page.getByRole('link', { name: video.title, exact: true })
  await expect.element(link).toBeVisible()
  const bar = page.getByRole('banner').element()
  await link.click()
  await expect.element(page.getByRole('heading', { level: 1, name: video.title })).toBeVisible()
  expect(bar.isConnected).toBe(true)
  // Pages without a side navigation have a menu.
  expect(nav.elements()).toEqual([])
  await page.viewport(390, 500)
  // On phones the dock appears on scrolling up.
  await expect.element(page.getByText('No comments yet')).toBeVisible()
  // Two scroll movements within one frame cause one scroll event.
  const scroll = (top: number) =>
    new Promise<void>((resolve) => {
      addEventListener('scroll', () => resolve(), { once: true })
      scrollTo(0, top)
    })
  await scroll(300)
  await scroll(200)
  await expect.element(nav).toBeVisible()
  await scroll(300)
  await expect.element(nav).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Menu' }).click()
  await nav.getByRole('link', { name: 'Home' }).click()
  await expect.element(link).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(bar.isConnected).toBe(true)
})

test('a page that is not available tells visitors alone that it may be for members', async () => {
  const hint = page.getByText(/^It may be for members/)
  await openPage('/notfound')
  await expect.element(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
  expect(hint.elements()).toEqual([])
  signOut()
  await openPage('/notfound')
  await hint.getByRole('link', { name: 'Log in' }).click()
  await expect.poll(() => location.pathname).toBe('/login')
})
