import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { publish } from './fixtures/clips.ts'
import { holdSecondResponse } from './fixtures/held-response.ts'
import { expect, test } from './fixtures/test.ts'
import { signIn } from './fixtures/users.ts'

const comments = (page: Page) => page.getByRole('region', { name: 'Comments' })
const box = (page: Page) => page.getByRole('textbox', { name: 'Add a comment' })
const send = (page: Page) => page.getByRole('button', { name: 'Comment', exact: true })
const isAt = (path: string) => (url: URL) => url.pathname === path

async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await send(page).click()
  await comments(page).getByRole('article').filter({ hasText: text }).waitFor()
}

test('visitors read comments, and are sent to the login page to write or like one', async ({
  page,
  newVisitor,
}) => {
  const { username } = await signIn(page)
  const id = await publish(page, randomUUID())
  await page.goto(`/video/${id}`)
  await say(page, 'Good evening')
  const visitor = await newVisitor()
  await visitor.goto(`/video/${id}`)
  const comment = comments(visitor).getByRole('article')
  await comment.getByText('Good evening').waitFor()
  expect(await comment.textContent()).toContain(username)
  expect(await comment.textContent()).toContain('Just now')
  expect(await box(visitor).count()).toBe(0)
  expect(await visitor.getByRole('button', { name: 'Delete comment' }).count()).toBe(0)
  await comments(visitor).getByRole('link', { name: 'Log in' }).click()
  await visitor.waitForURL(isAt('/login'))
  for (const name of ['Like comment', 'Dislike comment']) {
    await visitor.goto(`/video/${id}`)
    await visitor.getByRole('button', { name, exact: true }).click()
    await visitor.waitForURL(isAt('/login'))
  }
})

test('the owner of a video removes comments of others and deletes their own', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  await page.goto(`/video/${id}`)
  await say(page, 'By the owner')
  const guest = await newVisitor()
  await signIn(guest)
  await guest.goto(`/video/${id}`)
  await say(guest, 'By the guest')
  expect(await guest.getByRole('button', { name: 'Remove from my video' }).count()).toBe(0)

  await page.reload()
  const [foreign, own] = ['By the guest', 'By the owner'].map((text) =>
    comments(page).getByRole('article').filter({ hasText: text }),
  )
  await foreign?.waitFor()
  expect(await own?.getByRole('button', { name: 'Remove from my video' }).count()).toBe(0)
  expect(await foreign?.getByRole('button', { name: 'Delete comment' }).count()).toBe(0)
  await foreign?.getByRole('button', { name: 'Remove from my video' }).click()
  await foreign?.waitFor({ state: 'detached' })
  await guest.reload()
  await comments(guest).getByText('By the owner').waitFor()
  expect(await comments(guest).getByText('By the guest').count()).toBe(0)
})

test('a comment is sent once, shown, and deleted by its author only', async ({ page, newVisitor }) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  await page.goto(`/video/${id}`)
  await box(page).waitFor()
  expect(await send(page).count()).toBe(0)
  await box(page).focus()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(send(page)).toHaveCount(0)

  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/comment/add')) sent.push(request.postData() ?? '')
  })
  const blankMessage = comments(page).getByRole('alert').getByText('Comment is required', { exact: true })
  expect(await box(page).evaluate((field: HTMLTextAreaElement) => field.required)).toBe(true)
  for (const blank of ['', '  \n ']) {
    await box(page).fill('x')
    await blankMessage.waitFor({ state: 'detached' })
    await box(page).fill(blank)
    await send(page).click()
    await blankMessage.waitFor()
  }
  const text = 'A first word\n<script>document.title = "x"</script> https://example.org/a(b).'
  await box(page).fill(text)
  await send(page).dblclick()
  const own = comments(page).getByRole('article')
  await own.getByText('A first word').waitFor()
  // The field is empty and editable before the list is reloaded.
  expect(await box(page).inputValue()).toBe('')
  expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true)
  expect(sent.map((body) => JSON.parse(body))).toEqual([{ videoId: id, content: text }])
  expect(await own.getByRole('link', { name: 'https://example.org/a(b)', exact: true }).count()).toBe(1)

  const other = await newVisitor()
  await signIn(other)
  await other.goto(`/video/${id}`)
  await say(other, 'A second word')
  expect(await comments(other).getByRole('article').allTextContents()).toEqual([
    expect.stringContaining('A second word'),
    expect.stringContaining('A first word'),
  ])
  // Others have no delete button, not even the owner of the video.
  await page.reload()
  const foreign = comments(page).getByRole('article').filter({ hasText: 'A second word' })
  await foreign.waitFor()
  expect(await foreign.getByRole('button', { name: 'Delete comment' }).count()).toBe(0)
  await comments(page).getByRole('heading', { name: 'Comments 2', exact: true }).waitFor()
  let deletions = 0
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions += 1
  })
  // The response is withheld until the second press, which would return the focus.
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/comment/delete/**', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('button', { name: 'Delete comment' }).dblclick()
  release()
  await comments(page).getByText('A first word').waitFor({ state: 'detached' })
  // The focus moves to the remaining comment.
  await expect(foreign.getByRole('link')).toBeFocused()
  expect(await comments(page).getByRole('article').count()).toBe(1)
  expect(deletions).toBe(1)
})

test('repeated presses send a comment once', async ({ page }) => {
  await signIn(page)
  await page.goto(`/video/${await publish(page, randomUUID())}`)
  await box(page).fill('Only once')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/comment/add')) sent.push(request.postData() ?? '')
  })
  // A press between any two tasks of the page, also between the response and the emptied field.
  await send(page).evaluate(async (button: HTMLElement) => {
    const { port1, port2 } = new MessageChannel()
    await new Promise<void>((resolve) => {
      port1.addEventListener('message', () => {
        if (document.querySelector('[aria-label=Comments] article')) return resolve()
        button.click()
        port2.postMessage(null)
      })
      port1.start()
      port2.postMessage(null)
    })
  })
  await comments(page).getByRole('article').getByText('Only once').waitFor()
  expect(sent).toHaveLength(1)
})

test('text typed while a comment is being sent is kept for the next comment', async ({ page }) => {
  await signIn(page)
  await page.goto(`/video/${await publish(page, randomUUID())}`)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/comment/add', async (route) => {
    await released
    await route.continue()
  })
  await box(page).pressSequentially('One')
  const sent = page.waitForRequest('**/comment/add')
  await page.keyboard.press('Control+Enter')
  await sent
  await box(page).pressSequentially(' and two')
  release()
  await comments(page).getByRole('article').getByText('One', { exact: true }).waitFor()
  expect(await box(page).inputValue()).toBe('One and two')
  await page.keyboard.press('Control+Enter')
  await comments(page).getByRole('article').getByText('One and two').waitFor()
  await expect(box(page)).toHaveValue('')
})

test('a comment over the length limit shows the excess, and is neither sent nor truncated', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(`/video/${await publish(page, randomUUID())}`)
  let sent = 0
  page.on('request', (request) => (sent += request.url().endsWith('/comment/add') ? 1 : 0))
  const text = 'long, '.repeat(1667)
  await box(page).fill(text)
  await comments(page).getByText('1 character too many', { exact: true }).waitFor()
  await comments(page).getByRole('alert').getByText('10,000 characters').waitFor()
  // The field grows to a fraction of the window, then scrolls.
  const heights = await box(page).evaluate(({ clientHeight, scrollHeight }) => ({
    clientHeight,
    scrollHeight,
  }))
  expect(heights.clientHeight).toBeLessThanOrEqual(320)
  expect(heights.scrollHeight).toBeGreaterThan(heights.clientHeight)
  await send(page).click()
  expect(await box(page).inputValue()).toBe(text)
  expect(sent).toBe(0)
  await box(page).fill(text.slice(0, -4))
  await comments(page).getByText('2 characters left', { exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await send(page).click()
  await comments(page).getByRole('article').getByText('long, long').waitFor()
  expect(sent).toBe(1)
})

test('a comment that fails to send stays in the field without an error message', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  await page.goto(`/video/${id}`)
  await page.route('**/comment/add', (route) => route.abort())
  await box(page).fill('Worth keeping')
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/comment/add'))
  await send(page).click()
  await failed
  expect(await box(page).inputValue()).toBe('Worth keeping')
  expect(await page.getByRole('alert').count()).toBe(0)
  await expect(send(page)).toHaveAccessibleDescription('Not saved. Try again.')
  await page.unroute('**/comment/add')
  await send(page).click()
  await comments(page).getByRole('article').getByText('Worth keeping').waitFor()
})

test('a comment rejected for an expired session is kept until its author logs in', async ({ page }) => {
  const me = await signIn(page)
  const path = `/video/${await publish(page, randomUUID())}`
  await page.goto(path)
  await box(page).fill('Too good to lose')
  await page.context().clearCookies()
  await send(page).click()
  await page.waitForURL(isAt('/login'))
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password').fill(me.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Your channel' }).waitFor()
  await page.goto(path)
  await box(page).waitFor()
  expect(await box(page).inputValue()).toBe('Too good to lose')
  await send(page).click()
  await comments(page).getByRole('article').getByText('Too good to lose').waitFor()
  // A sent comment is no longer kept, and a kept comment does not survive a logout.
  await page.reload()
  await box(page).waitFor()
  expect(await box(page).inputValue()).toBe('')
  await box(page).fill('For my eyes only')
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await page.getByRole('link', { name: 'Logout' }).click()
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage))
  expect(kept).not.toContain('For my eyes only')
})

test('comments that fail to load can be loaded again', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  await page.request.post('/api/v1/comment/add', { data: { videoId: id, content: 'Late but here' } })
  await page.route('**/comment/get/*', (route) =>
    route.fulfill({ status: 500, json: { message: 'Out of order' } }),
  )
  await page.goto(`/video/${id}`)
  const again = comments(page).getByRole('button', { name: 'Load comments' })
  await again.waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByText('Out of order').count()).toBe(0)
  await page.unroute('**/comment/get/*')
  await again.click()
  await comments(page).getByRole('article').getByText('Late but here').waitFor()
})

test('a dislike on a comment requests the like state first and removes a like', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  await page.goto(`/video/${id}`)
  await say(page, 'Likeable')
  const calls: string[] = []
  page.on('request', (request) => {
    const call = /\/likes\/comment\/(\w+)\//.exec(request.url())
    if (call?.[1]) calls.push(`${request.method()} ${call[1]}`)
  })
  const like = page.getByRole('button', { name: 'Like comment', exact: true })
  const pressed = (state: boolean) =>
    page.locator(`button[aria-label="Like comment"][aria-pressed="${state}"]`).waitFor()
  await page.getByRole('button', { name: 'Dislike comment' }).click()
  await expect.poll(() => calls).toEqual(['GET hasliked'])
  const stored = page.waitForResponse('**/likes/comment/toggle/*')
  await like.click()
  await pressed(true)
  await stored
  await comments(page).getByRole('article').getByText('1', { exact: true }).waitFor()
  await page.reload()
  await pressed(true)
  await page.getByRole('button', { name: 'Dislike comment' }).click()
  await pressed(false)
  await comments(page).getByRole('article').getByText('0', { exact: true }).waitFor()
  await expect.poll(() => calls).toEqual(['GET hasliked', 'POST toggle', 'GET hasliked', 'POST toggle'])
})

test('a comment list older than a like does not undo it', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  await page.request.post('/api/v1/comment/add', { data: { videoId: id, content: 'First' } })
  const list = await holdSecondResponse(page, '**/comment/get/*')
  await page.goto(`/video/${id}`)
  await comments(page).getByText('First', { exact: true }).waitFor()
  await box(page).fill('Second')
  await send(page).click()
  await list.requested
  const stored = page.waitForResponse('**/likes/comment/toggle/*')
  await page.getByRole('button', { name: 'Like comment', exact: true }).click()
  await stored
  await list.release()
  await comments(page).getByRole('article').getByText('Second', { exact: true }).waitFor()
  expect(await page.locator('button[aria-label="Like comment"][aria-pressed="true"]').count()).toBe(1)
})
