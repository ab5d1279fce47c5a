import {
  addComment,
  addReply,
  editComment,
  getComment,
  listComments,
  listReplies,
  markComment,
} from '@kinora/contract/conversation/comments.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp
let author: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  author = await signUp(site)
})
afterAll(() => site.close())

const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })

/** Publishes a cut some minutes after now, or before. */
async function cut(videoId: string, minutes: number, keep: object[] | null, isFinal = false) {
  const publishedAt = new Date(Date.now() + minutes * 60_000)
  const row = { videoId, publishedAt, keep: keep && JSON.stringify(keep), isFinal }
  await site.db.insertInto('videoCuts').values(row).execute()
  site.context.cacheTags.clear(['videos'])
}

async function timesOf(videoId: string) {
  const page = await site.client().call(listComments, { params: { videoId }, query: {} })
  return page.items[0]?.movedTimes
}

test('lead to the same picture in every later cut, and nowhere if it was removed', async () => {
  const videoId = await addVideo(site, author.user._id, { durationSeconds: 600 })
  await cut(videoId, -5, [range(60, 600)])
  // of the cut: 100 and 300 s of the file
  await author.client.call(addComment, { body: { videoId, content: 'Look at 0:40, then at 4:00' } })
  expect(await timesOf(videoId)).toBeUndefined()
  await cut(videoId, 1, null)
  expect(await timesOf(videoId)).toEqual([
    { written: 40, seconds: 100 },
    { written: 240, seconds: 300 },
  ])
  await cut(videoId, 2, [range(90, 200), range(400, 600)])
  expect(await timesOf(videoId)).toEqual([
    { written: 40, seconds: 10 },
    { written: 240, seconds: null },
  ])
  // the file becomes that, and is cut again
  await cut(videoId, 3, [range(90, 200), range(400, 600)], true)
  expect(await timesOf(videoId)).toEqual([
    { written: 40, seconds: 10 },
    { written: 240, seconds: null },
  ])
  await cut(videoId, 4, [range(5, 300)])
  expect((await timesOf(videoId))?.[0]).toEqual({ written: 40, seconds: 5 })
})

test('lead to the same picture after an edit that keeps them, and new ones to that of the cut in force', async () => {
  const videoId = await addVideo(site, author.user._id, { durationSeconds: 600 })
  const { _id: commentId } = await author.client.call(addComment, {
    body: { videoId, content: 'Teh turn at 1:00, and 5:00' },
  })
  const edit = (content: string) =>
    author.client.call(editComment, { params: { commentId }, body: { content } })
  await site.db
    .updateTable('comments')
    .set({ createdAt: new Date(Date.now() - 60 * 60_000) })
    .where('id', '=', commentId)
    .execute()
  await cut(videoId, -5, [range(50, 600)])
  const same = { written: 60, seconds: 10 }
  for (const content of ['The turn at 1:00, and 5:00', 'The turn at 1:00, and 5:00!']) {
    const times = [same, { written: 300, seconds: 250 }]
    expect((await edit(content)).movedTimes).toEqual(times)
    expect(await timesOf(videoId)).toEqual(times)
  }
  const marked = { params: { videoId, commentId }, body: { isHearted: true } }
  expect((await author.client.call(markComment, marked)).movedTimes?.[0]).toEqual(same)
  // of the cut, as its viewers see it
  await edit('The turn at 1:00, and 4:10')
  expect(await timesOf(videoId)).toEqual([same, { written: 250, seconds: 250 }])
  await cut(videoId, 1, [range(40, 600)])
  expect(await timesOf(videoId)).toEqual([
    { written: 60, seconds: 20 },
    { written: 250, seconds: 260 },
  ])
  await edit('The turn at 0:10')
  expect(await timesOf(videoId)).toEqual([{ written: 10, seconds: 20 }])
})

test('are those of replies, too, and of a comment alone', async () => {
  const videoId = await addVideo(site, author.user._id, { durationSeconds: 600 })
  const { _id: commentId } = await author.client.call(addComment, { body: { videoId, content: 'At 1:40' } })
  const { _id: replyId } = await author.client.call(addReply, {
    params: { commentId },
    body: { content: 'Or 2:00' },
  })
  await cut(videoId, 1, [range(50, 600)])
  const { items } = await site.client().call(listReplies, { params: { commentId }, query: {} })
  expect(items[0]?.movedTimes).toEqual([{ written: 120, seconds: 70 }])
  const { comment, parent } = await site.client().call(getComment, { params: { commentId: replyId } })
  expect([comment.movedTimes?.[0]?.seconds, parent?.movedTimes?.[0]?.seconds]).toEqual([70, 50])
})

test('stay as they are without a cut, and in comments that were written after it', async () => {
  const videoId = await addVideo(site, author.user._id, { durationSeconds: 600 })
  await cut(videoId, -5, [range(50, 600)])
  await author.client.call(addComment, { body: { videoId, content: 'At 1:40' } })
  expect(await timesOf(videoId)).toBeUndefined()
})
