import {
  addComment,
  type Comment,
  deleteComment,
  getPinnedComment,
  listComments,
  listHeldComments,
  removeComment,
} from '@kinora/contract/conversation/comments.ts'
import { comment, ines, jonas, user, videoId } from '@kinora/contract/examples/samples.ts'
import { hasLikedComment, toggleCommentLike } from '@kinora/contract/conversation/likes.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { login } from '@kinora/contract/accounts/sign-in.ts'
import { logout } from '@kinora/contract/accounts/sessions.ts'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, changes, disconnect, openPage, rejection, reply, signOut } from '../../testing/site.tsx'

const comments = page.getByRole('region', { name: 'Comments' })
const articles = comments.getByRole('article')
const box = page.getByRole('textbox', { name: 'Add a comment' })
const send = page.getByRole('button', { name: 'Comment', exact: true })
const like = page.getByRole('button', { name: 'Like comment', exact: true })
const dislike = page.getByRole('button', { name: 'Dislike comment' })
const path = `/video/${videoId}`

const remark = (content: string, more: Partial<Comment> = {}): Comment => ({
  ...comment,
  _id: content.replaceAll(/\W/g, '').slice(0, 20),
  content,
  createdAt: new Date().toISOString(),
  likes: 0,
  liked: false,
  replies: 0,
  isHearted: false,
  commentOwner: jonas,
  ...more,
})
const byInes = (content: string) => remark(content, { commentOwner: ines })

let list: Comment[]

beforeEach(() => {
  list = []
  reply(getPinnedComment, null)
  reply(listHeldComments, { items: [], nextCursor: null })
  reply(listComments, () => ({ items: list, nextCursor: null }))
  reply(addComment, ({ body }) => {
    const added = remark(String(body['content']))
    list = [added, ...list]
    return added
  })
  const remove = ({ params }: { params: Record<string, string> }) => {
    list = list.filter(({ _id }) => _id !== params['commentId'])
    return null
  }
  reply(deleteComment, remove)
  reply(removeComment, remove)
})

test('visitors read comments, and are sent to the login page to write or like one', async () => {
  signOut()
  list = [remark('Good evening')]
  await openPage(path)
  await expect.element(articles.getByText('Good evening')).toBeVisible()
  await expect.element(articles).toMatchTextContent(jonas.username)
  await expect.element(articles).toMatchTextContent('Just now')
  expect(box.elements()).toEqual([])
  expect(page.getByRole('button', { name: 'Delete comment' }).elements()).toEqual([])
  await comments.getByRole('link', { name: 'Log in' }).click()
  await expect.poll(() => location.pathname).toBe('/login')
  for (const button of [like, dislike]) {
    await openPage(path)
    await button.click()
    await expect.poll(() => location.pathname).toBe('/login')
  }
  expect(changes().filter((call) => call.includes('like'))).toEqual([])
})

test('the owner of a video removes comments of others and deletes their own', async () => {
  list = [remark('By the guest'), byInes('By the owner')]
  await openPage(path)
  await expect.element(articles.nth(1)).toBeVisible()
  expect(page.getByRole('button', { name: 'Remove from my video' }).elements()).toEqual([])

  reply(getCurrentUser, { ...user, ...ines })
  await openPage(path)
  const [foreign, own] = [articles.filter({ hasText: 'guest' }), articles.filter({ hasText: 'owner' })]
  await expect.element(own.getByRole('button', { name: 'Delete comment' })).toBeVisible()
  expect(own.getByRole('button', { name: 'Remove from my video' }).elements()).toEqual([])
  expect(foreign.getByRole('button', { name: 'Delete comment' }).elements()).toEqual([])
  await foreign.getByRole('button', { name: 'Remove from my video' }).click()
  await expect.element(foreign).not.toBeInTheDocument()
  expect(callsOf(removeComment).map(({ params }) => params['commentId'])).toEqual(['Bytheguest'])
})

test('a comment is sent once, shown, and deleted once', async () => {
  await openPage(path)
  await expect.element(box).toBeVisible()
  expect(send.elements()).toEqual([])
  await box.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(send).not.toBeInTheDocument()

  const blankMessage = comments.getByRole('alert').getByText('Comment is required', { exact: true })
  await expect.element(box).toBeRequired()
  for (const blank of ['', '  \n ']) {
    await box.fill('x')
    await expect.element(blankMessage).not.toBeInTheDocument()
    await box.fill(blank)
    await send.click()
    await expect.element(blankMessage).toBeVisible()
  }
  const content = 'A first word\n<script>document.title = "x"</script> https://example.org/a(b).'
  await box.fill(content)
  // The response is withheld until the second press: it moves the button.
  const added = Promise.withResolvers<void>()
  reply(addComment, async () => {
    await added.promise
    list = [remark(content)]
    return remark(content)
  })
  await send.dblClick()
  added.resolve()
  const own = articles.filter({ hasText: 'A first word' })
  await expect.element(own).toBeVisible()
  await expect.element(box).toHaveValue('')
  await expect.element(box).toHaveFocus()
  expect(callsOf(addComment).map(({ body }) => body)).toEqual([{ videoId, content }])
  await expect.element(own.getByRole('link', { name: 'https://example.org/a(b)', exact: true })).toBeVisible()

  list = [byInes('A second word'), ...list]
  await openPage(path)
  await expect.element(articles.nth(0)).toMatchTextContent('A second word')
  await expect.element(articles.nth(1)).toMatchTextContent('A first word')
  await expect.element(comments.getByRole('heading', { name: 'Comments 2', exact: true })).toBeVisible()
  // The response is withheld until the second press, which would return the focus.
  const held = Promise.withResolvers<void>()
  reply(deleteComment, async () => {
    await held.promise
    list = list.slice(0, 1)
    return null
  })
  await page.getByRole('button', { name: 'Delete comment' }).dblClick()
  held.resolve()
  await expect.element(own).not.toBeInTheDocument()
  // The focus moves to the remaining comment.
  await expect.element(articles.getByRole('link')).toHaveFocus()
  expect(callsOf(deleteComment)).toHaveLength(1)
})

test('repeated presses send a comment once', async () => {
  await openPage(path)
  await box.fill('Only once')
  // A press between any two tasks of the page, also between the response and the emptied field.
  const button = send.element() as HTMLElement
  const { port1, port2 } = new MessageChannel()
  await new Promise<void>((resolve) => {
    port1.addEventListener('message', () => {
      if (articles.elements().length > 0) return resolve()
      button.click()
      port2.postMessage(null)
    })
    port1.start()
    port2.postMessage(null)
  })
  await expect.element(articles.getByText('Only once')).toBeVisible()
  expect(callsOf(addComment)).toHaveLength(1)
})

test('text typed while a comment is being sent is kept for the next comment', async () => {
  const held = Promise.withResolvers<void>()
  reply(addComment, async ({ body }) => {
    await held.promise
    const added = remark(String(body['content']))
    list = [added, ...list]
    return added
  })
  await openPage(path)
  await box.click()
  await userEvent.keyboard('One{Control>}{Enter}{/Control}')
  await expect.poll(() => callsOf(addComment)).toHaveLength(1)
  await userEvent.keyboard(' and two')
  held.resolve()
  await expect.element(articles.getByText('One', { exact: true })).toBeVisible()
  await expect.element(box).toHaveValue('One and two')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(articles.getByText('One and two')).toBeVisible()
  await expect.element(box).toHaveValue('')
})

test('a comment over the length limit shows the excess, and is neither sent nor truncated', async () => {
  await openPage(path)
  const text = 'long, '.repeat(1667)
  await box.fill(text)
  await expect.element(comments.getByText('1 character too many', { exact: true })).toBeVisible()
  await expect.element(comments.getByRole('alert').getByText(/10,000 characters/)).toBeVisible()
  // The field grows to a fraction of the window, then scrolls.
  const { clientHeight, scrollHeight } = box.element()
  expect(clientHeight).toBeLessThanOrEqual(320)
  expect(scrollHeight).toBeGreaterThan(clientHeight)
  await send.click()
  await expect.element(box).toHaveValue(text)
  expect(callsOf(addComment)).toEqual([])
  await box.fill(text.slice(0, -4))
  await expect.element(comments.getByText('2 characters left', { exact: true })).toBeVisible()
  expect(comments.getByRole('alert').elements()).toEqual([])
  await send.click()
  await expect.element(articles.getByText(/^long, long/)).toBeVisible()
  expect(callsOf(addComment)).toHaveLength(1)
})

test('a comment that fails to send stays in the field without an error message', async () => {
  await openPage(path)
  const accepted = remark('Worth keeping')
  reply(addComment, disconnect)
  await box.fill('Worth keeping')
  await send.click()
  await expect.element(send).toHaveAccessibleDescription('Not saved. Try again.')
  await expect.element(box).toHaveValue('Worth keeping')
  expect(comments.getByRole('alert').elements()).toEqual([])
  reply(addComment, () => {
    list = [accepted]
    return accepted
  })
  await send.click()
  await expect.element(articles.getByText('Worth keeping')).toBeVisible()
})

test('a comment rejected for an expired session is kept until its author logs in', async () => {
  await openPage(path)
  await box.fill('Too good to lose')
  signOut()
  const accepted = remark('Too good to lose')
  reply(addComment, () => rejection('unauthenticated'))
  await send.click()
  await expect.poll(() => location.pathname).toBe('/login')
  await page.getByLabelText('Email').fill(user.email)
  await page.getByLabelText('Password').fill('linocut-heron')
  reply(login, { user })
  reply(getCurrentUser, user)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect.element(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
  await openPage(path)
  await expect.element(box).toHaveValue('Too good to lose')
  reply(addComment, () => {
    list = [accepted]
    return accepted
  })
  await send.click()
  await expect.element(articles.getByText('Too good to lose')).toBeVisible()
  // A sent comment is no longer kept, and a kept comment does not survive a logout.
  await openPage(path)
  await expect.element(box).toHaveValue('')
  await box.fill('For my eyes only')
  await page.getByRole('link', { name: 'Kinora home' }).click()
  reply(logout, () => {
    signOut()
    return null
  })
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect.element(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect(JSON.stringify(sessionStorage)).not.toContain('For my eyes only')
})

test('comments that fail to load can be loaded again', async () => {
  list = [remark('Late but here')]
  reply(listComments, () => rejection('internal', 'Out of order'))
  await openPage(path)
  const again = comments.getByRole('button', { name: 'Load comments' })
  await expect.element(again).toBeVisible()
  expect(comments.getByRole('alert').elements()).toEqual([])
  expect(page.getByText('Out of order').elements()).toEqual([])
  reply(listComments, () => ({ items: list, nextCursor: null }))
  await again.click()
  await expect.element(articles.getByText('Late but here')).toBeVisible()
})

test('a dislike on a comment requests the like state first and removes a like', async () => {
  list = [remark('Likeable')]
  let liked = false
  reply(hasLikedComment, () => ({ liked }))
  reply(toggleCommentLike, () => {
    liked = !liked
    return { liked, totalLikes: Number(liked) }
  })
  await openPage(path)
  await dislike.click()
  await expect.poll(() => callsOf(hasLikedComment)).toHaveLength(1)
  expect(callsOf(toggleCommentLike)).toEqual([])
  await like.click()
  await expect.element(like).toHaveAttribute('aria-pressed', 'true')
  await expect.element(articles.getByText('1', { exact: true })).toBeVisible()
  await dislike.click()
  await expect.element(like).toHaveAttribute('aria-pressed', 'false')
  await expect.element(articles.getByText('0', { exact: true })).toBeVisible()
  expect(callsOf(hasLikedComment)).toHaveLength(2)
  expect(callsOf(toggleCommentLike)).toHaveLength(2)
})

test('a comment list older than a like does not undo it', async () => {
  list = [remark('First')]
  const held = Promise.withResolvers<void>()
  await openPage(path)
  await expect.element(articles.getByText('First', { exact: true })).toBeVisible()
  let reads = 0
  reply(listComments, async () => {
    const items = list
    if (++reads === 1) await held.promise
    return { items, nextCursor: null }
  })
  reply(toggleCommentLike, ({ params }) => {
    const isMeant = ({ _id }: Comment) => _id === params['commentId']
    list = list.map((each) => (isMeant(each) ? { ...each, liked: true, likes: 1 } : each))
    return { liked: true, totalLikes: 1 }
  })
  await box.fill('Second')
  await send.click()
  await expect.poll(() => reads).toBe(1)
  await like.first().click()
  await expect.poll(() => callsOf(toggleCommentLike)).toHaveLength(1)
  held.resolve()
  await expect.element(articles.getByText('Second', { exact: true })).toBeVisible()
  expect(
    like
      .elements()
      .map((button) => button.ariaPressed)
      .toSorted((a, b) => String(a).localeCompare(String(b))),
  ).toEqual(['false', 'true'])
})
