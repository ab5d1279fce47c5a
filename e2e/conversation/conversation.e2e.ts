import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const comments = (page: Page) => page.getByRole('region', { name: 'Comments' })
const thread = (page: Page, text: string) => comments(page).getByRole('article').filter({ hasText: text })
const press = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true }).click()
const more = async (place: Locator, name: string) => {
  await place.getByRole('button', { name: 'More actions' }).first().click()
  await press(place, name)
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Add a comment' }).fill(text)
  await press(page, 'Comment')
  await thread(page, text).waitFor()
}

test('two people talk: replies, mentions, a notification that leads there, an edit and a deletion undone', async ({
  page,
  newVisitor,
}) => {
  const creator = await signIn(page)
  const id = await publish(page, randomUUID())
  await page.goto(`/video/${id}`)
  await say(page, 'What do you think?')
  await comments(page).getByText('Creator', { exact: true }).waitFor()

  const guest = await newVisitor()
  const other = await signIn(guest)
  await guest.goto(`/video/${id}`)
  await press(thread(guest, 'What do you think?'), 'Reply')
  const box = guest.getByRole('textbox', { name: 'Your reply' })
  await expect(box).toBeFocused()
  await box.pressSequentially(`Well done @${creator.username.slice(0, -1)}`)
  await guest.getByRole('option').filter({ hasText: creator.username }).waitFor()
  await guest.keyboard.press('Enter')
  await expect(box).toHaveValue(`Well done @${creator.username} `)
  await guest.keyboard.press('Control+Enter')
  const replies = comments(guest).getByRole('list', { name: 'Replies' })
  await replies.getByText('Well done').waitFor()
  await expect(replies.getByRole('link', { name: `@${creator.username}` })).toHaveAttribute(
    'href',
    new RegExp(`/c/${creator.username}$`, 'i'),
  )
  // A reply is not an entry of the list.
  await expect(comments(guest).getByRole('article')).toHaveCount(1)

  await page.goto('/notifications')
  await page.getByRole('link', { name: /replied to you/ }).click()
  await page.waitForURL((url) => url.searchParams.has('comment'))
  const linked = comments(page).getByRole('listitem').filter({ hasText: 'Well done' })
  await expect(linked).toBeInViewport()

  await more(replies, 'Edit')
  const edit = guest.getByRole('textbox', { name: 'Edit your text' })
  await edit.fill('Very well done')
  await press(guest, 'Save changes')
  await replies.getByText('Very well done').waitFor()
  await replies.getByText('(edited)').waitFor()
  await press(replies, 'Remove reply')
  await comments(guest).getByText('The reply was deleted.').waitFor()
  await expect(comments(guest).getByText('Very well done')).toHaveCount(0)
  await press(comments(guest), 'Undo')
  await comments(guest).getByRole('button', { name: '1 reply' }).waitFor()
  expect(other.username).not.toBe(creator.username)
})

test('the creator pins, gives a heart and approves; comments are sorted by likes @nightly', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  const guest = await newVisitor()
  await signIn(guest)
  for (const content of ['First', 'Second', 'Third'])
    await guest.request.post('/api/v1/comment/add', { data: { videoId: id, content } })
  await page.goto(`/video/${id}`)
  await page.route('**/comment/marks/**', (route) => route.abort(), { times: 1 })
  await more(thread(page, 'First'), 'Pin to the top')
  await thread(page, 'First').getByRole('alert').filter({ hasText: 'could not be saved' }).waitFor()
  await more(thread(page, 'First'), 'Pin to the top')
  await thread(page, 'First').getByText('Pinned by the creator').waitFor()
  await more(thread(page, 'Second'), 'Add heart')
  await thread(page, 'Second').getByRole('img', { name: 'Heart from the creator' }).waitFor()
  const liked = page.waitForResponse(/\/likes\/comment\/toggle\//)
  await thread(page, 'Second').getByRole('button', { name: 'Like comment', exact: true }).click()
  expect((await liked).ok()).toBe(true)
  const order = () => comments(page).getByRole('article').allInnerTexts()
  expect((await order()).map((text) => /First|Second|Third/.exec(text)?.[0])).toEqual([
    'First',
    'Third',
    'Second',
  ])
  await comments(page).getByRole('combobox', { name: 'Sort by' }).selectOption('top')
  await expect
    .poll(async () => (await order()).map((text) => /First|Second|Third/.exec(text)?.[0]))
    .toEqual(['First', 'Second', 'Third'])

  const watch = (watchedWords: string, watchedWordsAction: string) =>
    page.request.put('/api/v1/channels/own/watched-words', { data: { watchedWords, watchedWordsAction } })
  await watch('casino', 'refuse')
  await guest.goto(`/video/${id}`)
  await guest.getByRole('textbox', { name: 'Add a comment' }).fill('Best casino')
  await press(guest, 'Comment')
  await comments(guest).getByRole('alert').filter({ hasText: 'words that are not allowed here' }).waitFor()
  await watch('casino', 'hold')
  await say(guest, 'The casino')
  await thread(guest, 'The casino').getByText('Waits for approval').waitFor()
  await page.request.patch(`/api/v1/studio/videos/${id}`, { data: { commentsHeld: true } })
  await guest.goto(`/video/${id}`)
  await say(guest, 'Please approve')
  await thread(guest, 'Please approve').getByText('Waits for approval').waitFor()
  const visitor = await newVisitor()
  await visitor.goto(`/video/${id}`)
  await thread(visitor, 'Second').waitFor()
  await expect(thread(visitor, 'Please approve')).toHaveCount(0)
  await page.reload()
  await press(thread(page, 'Please approve'), 'Approve')
  await expect(thread(page, 'Please approve').getByText('Waits')).toHaveCount(0)
  await visitor.reload()
  await thread(visitor, 'Please approve').waitFor()
  await more(thread(page, 'Please approve'), 'Hide until approved')
  await thread(page, 'Please approve').getByText('Waits for your approval').waitFor()
  await expect(comments(page).locator(':focus')).toBeVisible()
  await visitor.reload()
  await thread(visitor, 'Second').waitFor()
  await expect(thread(visitor, 'Please approve')).toHaveCount(0)
  expect(await findViolations(page, { part: '[aria-label="Comments"]' })).toEqual([])
})

test('the focus stays near what was done, and a reply that is rejected says why and keeps its text @nightly', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  await page.goto(`/video/${id}`)
  await say(page, 'The comment')
  const comment = thread(page, 'The comment')
  const reply = comment.getByRole('textbox', { name: 'Your reply' })
  await press(comment, 'Reply')
  await expect(reply).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(comment.getByRole('button', { name: 'Reply', exact: true })).toBeFocused()
  for (const text of ['One', 'Two']) {
    await comment.getByRole('button', { name: 'Reply', exact: true }).first().click()
    await reply.fill(text)
    await page.keyboard.press('Control+Enter')
    await comment.getByRole('listitem').filter({ hasText: text }).waitFor()
  }
  await comment.getByRole('listitem').first().getByRole('button', { name: 'Remove reply' }).click()
  await comments(page).getByText('The reply was deleted.').waitFor()
  await expect(comment.getByRole('listitem').getByRole('link').first()).toBeFocused()

  const guest = await newVisitor()
  await signIn(guest)
  await guest.goto(`/video/${id}`)
  await press(thread(guest, 'The comment'), 'Reply')
  await guest.getByRole('textbox', { name: 'Your reply' }).fill('Too late')
  await comment.getByRole('button', { name: 'Delete comment' }).click()
  // the reply was deleted before
  await comments(page).getByText('2 comments were deleted.').waitFor()
  await guest.keyboard.press('Control+Enter')
  await comments(guest).getByRole('alert').filter({ hasText: 'does not exist' }).waitFor()
  await expect(guest.getByRole('textbox', { name: 'Your reply' })).toHaveValue('Too late')
})

test('deletions are undone one after the other, and an undo that fails can be repeated @nightly', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(`/video/${await publish(page, randomUUID())}`)
  for (const text of ['Ebb', 'Flow']) await say(page, text)
  const undo = comments(page).getByRole('button', { name: 'Undo' })
  for (const text of ['Ebb', 'Flow']) {
    await thread(page, text).getByRole('button', { name: 'Delete comment' }).click()
    await expect(thread(page, text)).toHaveCount(0)
  }
  await comments(page).getByText('2 comments were deleted.').waitFor()
  await page.route('**/comment/restore/**', (route) => route.abort(), { times: 1 })
  await undo.click()
  await comments(page).getByRole('alert').filter({ hasText: 'could not be saved' }).waitFor()
  expect(await findViolations(page, { part: '[aria-label="Comments"]' })).toEqual([])
  await undo.click()
  await thread(page, 'Flow').waitFor()
  await undo.click()
  await thread(page, 'Ebb').waitFor()
  await expect(undo).toHaveCount(0)
})

test('a draft of a reply is discarded only after a question @nightly', async ({ page }) => {
  await signIn(page)
  await page.goto(`/video/${await publish(page, randomUUID())}`)
  await say(page, 'The comment')
  const comment = thread(page, 'The comment')
  const box = page.getByRole('textbox', { name: 'Your reply' })
  await press(comment, 'Reply')
  await box.fill('Half a thought')
  await press(comment, 'Discard')
  const dialog = page.getByRole('dialog', { name: 'Discard this text?' })
  await press(dialog, 'Cancel')
  await expect(box).toHaveValue('Half a thought')
  await press(comment, 'Discard')
  await press(dialog, 'Discard')
  await expect(box).toHaveCount(0)
  await press(comment, 'Reply')
  await expect(box).toHaveValue('')
})
