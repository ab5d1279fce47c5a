import {
  approveComment,
  holdComment,
  listReceivedComments,
  type ReceivedComment,
  removeComment,
  restoreComment,
} from '@kinora/contract/conversation/comments.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const [example] = exampleData(listReceivedComments)
const waiting = page.getByRole('region', { name: 'Waiting for your approval' })
const published = page.getByRole('region', { name: 'Published' })
const status = page.getByRole('status')

let comments: ReceivedComment[]

const received = (name: string, isHeld: boolean): ReceivedComment => ({
  ...example!,
  _id: name,
  content: `Words of ${name}`,
  isHeld,
  commentOwner: { ...example!.commentOwner, username: name },
})
const change = (id: string | undefined, changes: Partial<ReceivedComment>) => {
  comments = comments.map((each) => (each._id === id ? { ...each, ...changes } : each))
  return comments.find(({ _id }) => _id === id)!
}

beforeEach(() => {
  comments = [received('ada', false), received('bo', true)]
  reply(listReceivedComments, ({ query }) => ({
    items: comments.filter(({ isHeld }) => isHeld === (query['show'] === 'held')),
    nextCursor: null,
  }))
  reply(approveComment, ({ params }) => change(params['commentId'], { isHeld: false }))
  reply(holdComment, ({ params }) => change(params['commentId'], { isHeld: true }))
  reply(removeComment, ({ params }) => {
    comments = comments.filter(({ _id }) => _id !== params['commentId'])
    return null
  })
  reply(restoreComment, ({ params }) => {
    comments = [...comments, received(params['commentId'] ?? '', false)]
    return comments.at(-1)!
  })
})

test('comments that wait come first, and are approved in their row', async () => {
  await openPage('/studio')
  await page
    .getByRole('navigation', { name: 'Studio' })
    .getByRole('link', { name: /Comments/ })
    .click()
  await expect.element(waiting.getByText('Words of bo')).toBeVisible()
  await expect.element(published.getByText('Words of ada')).toBeVisible()
  await waiting.getByRole('button', { name: 'Approve: comment of bo' }).click()
  await expect.element(published.getByText('Words of bo')).toBeVisible()
  await expect.element(waiting).not.toBeInTheDocument()
  await expect.element(status.getByText('The comment is published.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(waiting.getByText('Words of bo')).toBeVisible()
})

test('comments are hidden and removed, and a removal is undone', async () => {
  await openPage('/studio/comments')
  await published.getByRole('button', { name: 'Hide: comment of ada' }).click()
  await expect.element(waiting.getByText('Words of ada')).toBeVisible()
  await waiting.getByRole('button', { name: 'Remove: comment of ada' }).click()
  await expect.element(page.getByText('Words of ada')).not.toBeInTheDocument()
  expect(callsOf(removeComment)[0]?.params).toEqual({ videoId: example!.video._id, commentId: 'ada' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(published.getByText('Words of ada')).toBeVisible()
  await expect.element(status.getByText('Undone.')).toBeVisible()
})
