import { user, video } from '@kinora/contract/examples/samples.ts'
import { getChannel, getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { getVideo, listChannelVideos, listVideos } from '@kinora/contract/videos/videos.ts'
import { login } from '@kinora/contract/accounts/sign-in.ts'
import { logout } from '@kinora/contract/accounts/sessions.ts'
import { register } from '@kinora/contract/accounts/registrations.ts'
import { defaultScheduler, notifyManager } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { accountDeleted, keepForHome } from '../../lib/home-notice.ts'
import { callsOf, changes, disconnect, openPage, rejection, reply, signOut } from '../../testing/site.tsx'

const main = page.getByRole('main')
const signInLink = page.getByRole('link', { name: 'Sign In', exact: true })
const channelLink = page.getByRole('link', { name: 'Your channel' })
const alert = page.getByRole('alert')
const submit = page.getByRole('button', { name: 'Register', exact: true })
const endOf = (locator: ReturnType<typeof page.getByRole>) => locator.element().getBoundingClientRect().right

const picture = async () => {
  const canvas = new OffscreenCanvas(64, 64)
  canvas.getContext('2d')?.fillRect(0, 0, 64, 64)
  return new File([await canvas.convertToBlob()], 'picture.png', { type: 'image/png' })
}

const fillIn = async (fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabelText(label).fill(value)
}

test('file pickers stay within the form on tablets', async () => {
  signOut()
  await page.viewport(768, 1024)
  await openPage('/register')
  await expect.element(submit).toBeVisible()
  expect(endOf(page.getByLabelText(/^Cover picture/))).toBeLessThanOrEqual(endOf(submit))
})

test('an invalid registration shows errors and sends nothing', async () => {
  signOut()
  await openPage('/register')
  await submit.click()
  await expect.poll(() => alert.elements().length).toBe(5)
  await fillIn({ 'Full name': 'Ada', Email: 'a b@c', Username: 'ada!', Password: 'long enough' })
  // A file that is not an image is rejected on selection.
  const field = page.getByLabelText(/^Profile picture/)
  await userEvent.upload(field, new File(['no picture'], 'notes.txt', { type: 'text/plain' }))
  await expect.element(page.getByText('Profile picture is required')).not.toBeInTheDocument()
  expect(alert.elements()).toHaveLength(5)
  await userEvent.upload(field, await picture())
  await expect.poll(() => alert.elements().length).toBe(4)
  await submit.click()
  await expect
    .poll(() => alert.elements().map(({ textContent }) => textContent))
    .toEqual(['Invalid email address', 'Username can only contain letters and numbers'])
  expect(changes()).toEqual([])
  // On the narrowest phone nothing overflows the page or its field.
  await page.viewport(320, 700)
  const prompt = page.getByText('Choose a wide picture').element()
  const box = prompt.parentElement!.parentElement!.getBoundingClientRect()
  const words = prompt.getBoundingClientRect()
  expect(box.right).toBeLessThanOrEqual(320 - 16)
  expect(words.top).toBeGreaterThan(box.top + 2)
  expect(words.bottom).toBeLessThan(box.bottom - 2)
})

test('a rejected registration shows the message of the server', async () => {
  signOut()
  reply(register, () => rejection('conflict', 'This username is taken'))
  await openPage('/register')
  await fillIn({ 'Full name': 'Ada', Email: 'ada@example.org', Username: 'INES', Password: 'long enough' })
  await userEvent.upload(page.getByLabelText(/^Profile picture/), await picture())
  await submit.click()
  await expect.element(alert).toHaveTextContent('This username is taken')
  expect(location.pathname).toBe('/register')
})

test('the login page omits thumbnails that are entirely black', async () => {
  signOut()
  const background =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="36"><path d="M0 0h64v36H0z"/>'
  const newest = (content: string, title: string) => ({
    ...video,
    _id: title,
    title,
    thumbnail: `data:image/svg+xml,${encodeURIComponent(`${background}${content}</svg>`)}`,
  })
  const black = newest('', 'Black')
  const scene = newest('<path fill="#fff" d="M8 8h30v20H8z"/>', 'Scene')
  reply(listVideos, { items: [black, scene], nextCursor: null })
  await openPage('/login')
  const links = page.getByRole('complementary', { name: 'From this site' }).getByRole('link')
  await expect.element(links).toHaveAccessibleName(/^Scene/)
  expect(links.elements()).toHaveLength(1)
})

async function logIn() {
  await fillIn({ Email: user.email, Password: 'linocut-heron' })
  reply(login, { user })
  reply(getCurrentUser, user)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect.poll(() => location.pathname).toBe('/')
}

test('a login says what it is for, and the home page leads back to that until it is closed', async () => {
  const path = `/video/${video._id}`
  for (const [name, role, sentence] of [
    ['Like', 'button', `Log in to like “${video.title}”.`],
    ['Subscribe', 'button', `Log in to subscribe to ${video.videoOwner.fullname}.`],
    ['Log in', 'link', `Log in to comment on “${video.title}”.`],
  ] as const) {
    signOut()
    await openPage(`${path}?t=1`)
    await main.getByRole(role, { name, exact: true }).click()
    await expect.element(page.getByText(sentence)).toBeVisible()
    await expect
      .element(page.getByText('Log in to see your subscriptions and history.', { exact: true }))
      .toBeVisible()
  }
  // The way through the registration keeps it.
  await main.getByRole('link', { name: 'Create an account' }).click()
  await main.getByRole('link', { name: 'Login' }).click()
  await logIn()
  await expect.element(main.getByText(`Continue with “${video.title}”`)).toBeVisible()
  const back = main.getByRole('link', { name: 'Continue', exact: true })
  await back.click()
  await expect.poll(() => location.pathname + location.search).toBe(`${path}?t=1`)
  history.back()
  await expect.element(back).toBeVisible()
  await main.getByRole('button', { name: 'Close' }).click()
  await expect.element(back).not.toBeInTheDocument()
  expect(location.pathname).toBe('/')
})

test('a login names the channel, or the page that was not available', async () => {
  signOut()
  await openPage(`/c/${user.username}/history`)
  await expect.element(page.getByText(`Log in to see the channel of @${user.username}.`)).toBeVisible()
  reply(getVideo, () => rejection('not_found'))
  await openPage(`/video/${video._id}`)
  await main.getByRole('link', { name: 'Log in' }).click()
  await expect.element(page.getByText('Log in to see the page that you opened.')).toBeVisible()
  await logIn()
  await expect
    .element(main.getByRole('link', { name: 'Continue', exact: true }))
    .toHaveAttribute('href', `/video/${video._id}`)
})

test('a login without a reason says none, and home offers no way back', async () => {
  signOut()
  await openPage('/about')
  await signInLink.click()
  await expect.element(page.getByText('Log in to see your subscriptions and history.')).toBeVisible()
  expect(page.getByText(/^Log in to/).elements()).toHaveLength(1)
  await logIn()
  await expect.element(channelLink).toBeVisible()
  expect(main.getByRole('link', { name: 'Continue', exact: true }).elements()).toEqual([])
})

test('the home page says once that an account was deleted', async () => {
  signOut()
  keepForHome(accountDeleted)
  await openPage('/')
  const notice = page.getByText('Your account was deleted.')
  await expect.element(notice).toBeVisible()
  await openPage('/')
  await expect.element(page.getByRole('article').first()).toBeVisible()
  expect(notice.elements()).toEqual([])
})

test('after too many failures the login page takes a code, and sends no empty one', async () => {
  signOut()
  reply(login, () => rejection('too_many_requests', 'Too many attempts. Try again in a minute.'))
  await openPage('/login')
  await fillIn({ Email: user.email, Password: 'linocut-heron' })
  const code = page.getByLabelText('Code')
  const enter = page.getByRole('button', { name: 'Login' })
  expect(code.elements()).toEqual([])
  await enter.click()
  await expect.element(code).toHaveAccessibleDescription(/passkey lets you in without waiting/)
  await enter.click()
  await expect.poll(() => callsOf(login)).toHaveLength(2)
  await code.fill('123456')
  reply(login, { user })
  reply(getCurrentUser, user)
  await expect.element(enter).toBeEnabled()
  await enter.click()
  await expect.element(channelLink).toBeVisible()
  expect(callsOf(login).map(({ body }) => body['code'])).toEqual([undefined, undefined, '123456'])
})

test('a failed logout leads home and keeps the session', async () => {
  reply(logout, disconnect)
  await openPage('/logout')
  await expect.poll(() => location.pathname).toBe('/')
  await expect.element(channelLink).toBeVisible()
})

test('login and register redirect members, and an expired session is noticed during navigation', async () => {
  for (const path of ['/login', '/register']) {
    await openPage(path)
    await expect.poll(() => location.pathname).toBe('/')
  }
  await expect.element(channelLink).toBeVisible()
  signOut()
  for (const endpoint of [getChannel, listChannelVideos]) reply(endpoint, () => rejection('unauthenticated'))
  await page.getByRole('link', { name: 'My Channel' }).click()
  await expect.poll(() => location.pathname).toBe('/login')
})

test('a channel leads to the login even if it renders before the end of the session is published', async () => {
  await openPage('/about')
  await expect.element(channelLink).toBeVisible()
  const [list, check] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const rejectAfter = async (held: Promise<void>) => {
    await held
    return rejection('unauthenticated')
  }
  reply(getChannel, () => rejection('unauthenticated'))
  reply(listChannelVideos, () => rejectAfter(list.promise))
  reply(getCurrentUser, () => rejectAfter(check.promise))
  await page.getByRole('link', { name: 'My Channel' }).click()
  await expect.poll(() => callsOf(getCurrentUser)).toHaveLength(2)
  await expect.poll(() => callsOf(listChannelVideos)).toHaveLength(1)
  // Components receive nothing before both responses have arrived.
  const batches: (() => void)[] = []
  onTestFinished(() => notifyManager.setScheduler(defaultScheduler))
  notifyManager.setScheduler((batch) => void batches.push(batch))
  list.resolve()
  await expect.poll(() => batches.length).toBeGreaterThan(0)
  const count = batches.length
  check.resolve()
  await expect.poll(() => batches.length).toBeGreaterThan(count)
  notifyManager.setScheduler(defaultScheduler)
  for (const batch of batches) {
    batch()
    await new Promise(requestAnimationFrame)
    expect(location.pathname).not.toBe('/notfound')
  }
  await expect.poll(() => location.pathname).toBe('/login')
})

test('login neither redirects nor shows the form before the session check finishes', async () => {
  const held = Promise.withResolvers<void>()
  reply(getCurrentUser, async () => {
    await held.promise
    return user
  })
  await openPage('/login')
  await expect.element(page.getByRole('searchbox', { name: 'Search' })).toBeVisible()
  expect(location.pathname).toBe('/login')
  expect(page.getByLabelText('Email').elements()).toEqual([])
  expect(signInLink.elements()).toEqual([])
  held.resolve()
  await expect.poll(() => location.pathname).toBe('/')
})

test('a session check older than a login does not undo it', async () => {
  const held = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  reply(getCurrentUser, async () => {
    // The page of a video checks the session again.
    if (callsOf(getCurrentUser).length === 2) {
      await held.promise
      answered.resolve()
    }
    return rejection('unauthenticated')
  })
  await openPage(`/video/${video._id}`)
  await expect.poll(() => callsOf(getCurrentUser)).toHaveLength(2)
  await signInLink.click()
  await fillIn({ Email: user.email, Password: 'linocut-heron' })
  reply(login, { user })
  reply(getCurrentUser, user)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect.element(channelLink).toBeVisible()
  held.resolve()
  await answered.promise
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  await expect.element(channelLink).toBeVisible()
})

test('the page frame renders signed out while the server fails, and checks the session again', async () => {
  reply(getCurrentUser, disconnect)
  reply(listVideos, disconnect)
  await openPage('/')
  await expect.element(signInLink).toBeVisible()
  await expect
    .element(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Register' }))
    .toBeVisible()
  reply(getCurrentUser, user)
  await page.getByRole('link', { name: 'About Kinora' }).click()
  await expect.element(channelLink).toBeVisible()
  await expect.element(main.getByRole('heading', { name: 'About Kinora' })).toBeVisible()
})
