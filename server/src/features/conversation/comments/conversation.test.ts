import * as contract from '@kinora/contract/conversation/comments.ts'
import { toggleCommentLike } from '@kinora/contract/conversation/likes.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { nextMillisecond } from '@kinora/platform/testing/next-millisecond.ts'
import { listMiscounts, counters } from '../../../cli/check/queries.ts'
import { deleteAccount } from '../../portability/account-deletion/actions.ts'

let site: TestApp
type Member = Awaited<ReturnType<typeof signUp>>
let owner: Member
let author: Member
let other: Member

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  author = await signUp(site)
  other = await signUp(site)
})
afterAll(() => site.close())

const add = (member: Member, videoId: string, content: string) =>
  member.client.call(contract.addComment, { body: { videoId, content } })
const reply = (member: Member, commentId: string, content: string) =>
  member.client.call(contract.addReply, { params: { commentId }, body: { content } })
const list = async (videoId: string, sort?: contract.CommentSort) =>
  (await site.client().call(contract.listComments, { params: { videoId }, query: sort ? { sort } : {} }))
    .items
const listReplies = (commentId: string, query: { cursor?: string; limit?: number } = {}) =>
  site.client().call(contract.listReplies, { params: { commentId }, query })
const notificationsAbout = async (member: Member, commentId: string) =>
  (await member.client.call(listNotifications, { query: {} })).items
    .filter(({ comment }) => comment?._id === commentId)
    .map(({ kind }) => kind)
const contents = (comments: contract.Comment[]) => comments.map(({ content }) => content)

test('replies are paged oldest first, counted, and not in the list of the video', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const { _id: thread } = await add(author, videoId, 'First')
  for (const text of ['a', 'b', 'c']) {
    expect(await reply(other, thread, text)).toMatchObject({ parentId: thread, content: text })
    await nextMillisecond()
  }
  expect(await list(videoId)).toEqual([
    expect.objectContaining({ content: 'First', replies: 3, parentId: null }),
  ])
  const page = await listReplies(thread, { limit: 2 })
  expect(contents(page.items)).toEqual(['a', 'b'])
  const rest = await listReplies(thread, { cursor: page.nextCursor ?? '' })
  expect([contents(rest.items), rest.nextCursor]).toEqual([['c'], null])

  // a reply to a reply joins the thread
  expect(await reply(author, page.items[0]?._id ?? '', 'd')).toMatchObject({ parentId: thread })
  const reached = await site
    .client()
    .call(contract.getComment, { params: { commentId: page.items[0]?._id ?? '' } })
  expect(reached).toMatchObject({ comment: { content: 'a' }, parent: { _id: thread, replies: 4 } })
})

test('the number of replies follows deletions, restored replies and deleted accounts', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const leaving = await signUp(site)
  const { _id: thread } = await add(author, videoId, 'First')
  const { _id: own } = await reply(author, thread, 'stays')
  await reply(leaving, thread, 'goes')
  const count = async () => (await list(videoId))[0]?.replies
  expect(await count()).toBe(2)
  const params = { videoId, commentId: own }
  await author.client.call(contract.deleteComment, { params })
  expect(await count()).toBe(1)
  await author.client.call(contract.restoreComment, { params })
  expect(await count()).toBe(2)
  await deleteAccount(site.context, leaving.user._id)
  await expect.poll(count).toBe(1)
  for (const counter of counters.filter(({ table }) => table === 'comments'))
    expect((await listMiscounts(site.db, counter, '', 1000)).miscounts).toEqual([])
})

test('a deletion is undone by the one who deleted, with likes and replies', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await add(author, videoId, 'Gone')
  await reply(other, commentId, 'too')
  await other.client.call(toggleCommentLike, { params: { commentId } })
  const params = { videoId, commentId }
  await owner.client.call(contract.removeComment, { params })
  expect(await list(videoId)).toEqual([])
  expect((await site.client().get(`/api/v1/comment/replies/${commentId}`)).status).toBe(404)
  expect((await other.client.post(`/api/v1/likes/comment/toggle/${commentId}`, {})).status).toBe(404)
  const restore = (member: Member) =>
    member.client.post(`/api/v1/comment/restore/${videoId}/${commentId}`, {})
  expect((await restore(author)).status).toBe(404)
  expect((await restore(owner)).body.data).toMatchObject({ likes: 1, replies: 1 })
  expect((await restore(owner)).status).toBe(404)
  expect(await list(videoId)).toHaveLength(1)

  // a reply is not restored without the comment above it
  const { _id: answer } = await reply(author, commentId, 'three')
  await author.client.call(contract.deleteComment, { params: { videoId, commentId: answer } })
  await owner.client.call(contract.removeComment, { params })
  const restoreAnswer = () => author.client.post(`/api/v1/comment/restore/${videoId}/${answer}`, {})
  expect((await restoreAnswer()).status).toBe(404)
  await restore(owner)
  expect(contents((await listReplies(commentId)).items)).toEqual(['too'])
  expect((await restoreAnswer()).status).toBe(200)

  await owner.client.call(contract.removeComment, { params })
  await site.db
    .updateTable('comments')
    .set({ deletedAt: new Date(Date.now() - 4e6) })
    .where('id', '=', commentId)
    .execute()
  expect((await restore(owner)).status).toBe(404)
})

test('an edit changes the text, marks the comment and removes the heart', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await add(author, videoId, 'Frist')
  await owner.client.call(contract.markComment, { params: { videoId, commentId }, body: { isHearted: true } })
  expect(await list(videoId)).toMatchObject([{ isHearted: true, editedAt: null }])
  const changed = await author.client.call(contract.editComment, {
    params: { commentId },
    body: { content: ' First ' },
  })
  expect(changed).toMatchObject({ content: 'First', isHearted: false, editedAt: expect.any(String) })
  expect(await list(videoId)).toEqual([changed])
  expect(
    (await author.client.send('PUT', `/api/v1/comment/edit/${commentId}`, { content: ' ' })).status,
  ).toBe(400)
})

test('a video has one pinned comment, which its deletion unpins', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const ids = [(await add(author, videoId, 'a'))._id, (await add(author, videoId, 'b'))._id]
  const pin = (commentId: string, isPinned: boolean) =>
    owner.client.call(contract.markComment, { params: { videoId, commentId }, body: { isPinned } })
  const pinned = () => site.client().call(contract.getPinnedComment, { params: { videoId } })
  expect(await pinned()).toBeNull()
  await Promise.all(ids.map((id) => pin(id, true)))
  await pin(ids[0] ?? '', true)
  expect(await pinned()).toMatchObject({ content: 'a', isPinned: true })
  expect((await list(videoId)).filter(({ isPinned }) => isPinned)).toHaveLength(1)
  await pin(ids[1] ?? '', false)
  expect(await pinned()).toMatchObject({ content: 'a' })
  const { _id: answer } = await reply(author, ids[0] ?? '', 'c')
  expect(
    (await owner.client.send('PUT', `/api/v1/comment/marks/${videoId}/${answer}`, { isPinned: true })).status,
  ).toBe(400)
  await owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { commentsHeld: true } })
  const { _id: waiting } = await add(author, videoId, 'd')
  expect(
    (await owner.client.send('PUT', `/api/v1/comment/marks/${videoId}/${waiting}`, { isPinned: true }))
      .status,
  ).toBe(400)
  expect(await pinned()).toMatchObject({ content: 'a' })
  await author.client.call(contract.deleteComment, { params: { videoId, commentId: ids[0] ?? '' } })
  expect(await pinned()).toBeNull()
})

test('sorts by likes, and pages contain every comment once', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const ids: string[] = []
  for (const text of ['a', 'b', 'c', 'd']) {
    ids.push((await add(author, videoId, text))._id)
    await nextMillisecond()
  }
  for (const [member, commentId] of [
    [owner, ids[1]],
    [other, ids[1]],
    [owner, ids[0]],
  ] as const)
    await member.client.call(toggleCommentLike, { params: { commentId: commentId ?? '' } })
  expect(contents(await list(videoId, 'top'))).toEqual(['b', 'a', 'd', 'c'])
  expect(contents(await list(videoId, 'newest'))).toEqual(['d', 'c', 'b', 'a'])
  const first = await site
    .client()
    .call(contract.listComments, { params: { videoId }, query: { sort: 'top', limit: 1 } })
  const rest = await site.client().call(contract.listComments, {
    params: { videoId },
    query: { sort: 'top', cursor: first.nextCursor ?? '' },
  })
  expect(contents([...first.items, ...rest.items])).toEqual(['b', 'a', 'd', 'c'])
  const newest = await site.client().call(contract.listComments, { params: { videoId }, query: { limit: 1 } })
  const wrong = `/api/v1/comment/get/${videoId}?sort=top&cursor=${newest.nextCursor}`
  expect((await site.client().get(wrong)).status).toBe(400)
})

test('notifies each person once: of a reply, a mention or a comment', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const mention = `@${other.user.username.toUpperCase()} @nobodyhere`
  const { _id: thread, mentions } = await add(author, videoId, `Look, ${mention}`)
  expect(mentions).toEqual([other.user.username])
  expect(await notificationsAbout(owner, thread)).toEqual(['comment'])
  expect(await notificationsAbout(other, thread)).toEqual(['mention'])
  expect(await notificationsAbout(author, thread)).toEqual([])
  const { _id: answer } = await reply(other, thread, `@${author.user.username} yes`)
  expect(await notificationsAbout(author, answer)).toEqual(['reply'])
  expect(await notificationsAbout(owner, answer)).toEqual(['comment'])
  // an edit notifies those it adds
  const later = await signUp(site)
  await other.client.call(contract.editComment, {
    params: { commentId: answer },
    body: { content: `@${later.user.username}` },
  })
  expect(await notificationsAbout(later, answer)).toEqual(['mention'])
  await author.client.call(contract.deleteComment, { params: { videoId, commentId: thread } })
  expect(await notificationsAbout(owner, thread)).toEqual([])
  expect(await notificationsAbout(owner, answer)).toEqual([])
})

test('a restored comment brings its notifications and those of its replies back', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const { _id: thread, createdAt } = await add(author, videoId, `Look, @${other.user.username}`)
  const { _id: answer } = await reply(other, thread, 'Where?')
  const params = { videoId, commentId: thread }
  const ofThread = async (member: Member) =>
    (await member.client.call(listNotifications, { query: {} })).items.filter(
      ({ comment }) => comment?._id === thread,
    )
  await owner.client.call(contract.removeComment, { params })
  expect(await ofThread(other)).toEqual([])
  await owner.client.call(contract.restoreComment, { params })
  expect(await ofThread(other)).toMatchObject([{ kind: 'mention', isRead: false, createdAt }])
  expect(await notificationsAbout(author, answer)).toEqual(['reply'])
  // the owner has seen it
  expect(await ofThread(owner)).toMatchObject([{ kind: 'comment', isRead: true }])
})

test('the owner of a video hides a comment until it is approved', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await add(author, videoId, `Look, @${other.user.username}`)
  const hold = (member: Member, path = `${videoId}/${commentId}`) =>
    member.client.send('PUT', `/api/v1/comment/hold/${path}`, {})
  expect((await hold(other)).status).toBe(403)
  expect((await hold(owner, `${await addVideo(site, owner.user._id)}/${commentId}`)).status).toBe(404)
  await owner.client.call(contract.markComment, { params: { videoId, commentId }, body: { isPinned: true } })
  expect((await hold(owner)).body.data).toMatchObject({ _id: commentId, isHeld: true, isPinned: false })
  expect(await list(videoId)).toEqual([])
  expect(await notificationsAbout(other, commentId)).toEqual([])
  const held = await author.client.call(contract.listHeldComments, { params: { videoId }, query: {} })
  expect(held.items).toMatchObject([{ _id: commentId }])
  // again, it changes nothing
  expect((await hold(owner)).body.data).toMatchObject({ isHeld: true })
  await owner.client.call(contract.approveComment, { params: { videoId, commentId } })
  expect(await list(videoId)).toMatchObject([{ _id: commentId, isHeld: false }])
  expect(await notificationsAbout(other, commentId)).toEqual(['mention'])
})

test('mentions in a private video notify only those who may see it', async () => {
  const videoId = await addVideo(site, owner.user._id)
  await owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'private' } })
  const { _id } = await add(owner, videoId, `@${other.user.username}`)
  expect(await notificationsAbout(other, _id)).toEqual([])
})

test('comments that wait for approval are shown to their author and the owner of the video', async () => {
  const videoId = await addVideo(site, owner.user._id)
  await owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { commentsHeld: true } })
  const { _id: commentId, isHeld } = await add(author, videoId, `Held @${other.user.username}`)
  expect(isHeld).toBe(true)
  expect(await add(owner, videoId, 'Mine')).toMatchObject({ isHeld: false })
  expect(contents(await list(videoId))).toEqual(['Mine'])
  const held = async (member: Member) =>
    contents((await member.client.call(contract.listHeldComments, { params: { videoId }, query: {} })).items)
  expect(await Promise.all([held(owner), held(author), held(other)])).toEqual([
    [`Held @${other.user.username}`],
    [`Held @${other.user.username}`],
    [],
  ])
  const one = `/api/v1/comment/one/${commentId}`
  expect((await other.client.get(one)).status).toBe(404)
  expect((await author.client.get(one)).status).toBe(200)
  expect((await other.client.post(`/api/v1/comment/reply/${commentId}`, { content: 'x' })).status).toBe(404)
  expect(await notificationsAbout(owner, commentId)).toEqual(['comment'])
  expect(await notificationsAbout(other, commentId)).toEqual([])

  const marks = `/api/v1/comment/marks/${videoId}/${commentId}`
  expect((await owner.client.send('PUT', marks, { isPinned: true })).status).toBe(400)

  await owner.client.call(contract.approveComment, { params: { videoId, commentId } })
  expect(contents(await list(videoId))).toHaveLength(2)
  expect(await notificationsAbout(other, commentId)).toEqual(['mention'])
  expect(await notificationsAbout(owner, commentId)).toEqual(['comment'])
  // an edit would otherwise circumvent the approval
  await author.client.call(contract.editComment, { params: { commentId }, body: { content: 'Buy now' } })
  expect(contents(await list(videoId))).toEqual(['Mine'])
  expect(await notificationsAbout(other, commentId)).toEqual([])
  expect(await notificationsAbout(owner, commentId)).toEqual(['comment'])
})

test('replies of a deleted comment are not found until it is restored', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const { _id: thread } = await add(author, videoId, 'First')
  const { _id: published } = await reply(other, thread, 'published')
  const { _id: deleted } = await reply(other, thread, 'deleted')
  await other.client.call(contract.deleteComment, { params: { videoId, commentId: deleted } })
  await owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { commentsHeld: true } })
  await reply(other, thread, 'held')
  const held = async () =>
    contents((await owner.client.call(contract.listHeldComments, { params: { videoId }, query: {} })).items)
  expect(await held()).toEqual(['held'])

  await author.client.call(contract.deleteComment, { params: { videoId, commentId: thread } })
  expect(await held()).toEqual([])
  const post = async (path: string, body: object) =>
    (await other.client.post(`/api/v1/comment/${path}`, body)).status
  expect(await post(`reply/${published}`, { content: 'x' })).toBe(404)
  expect(await post(`restore/${videoId}/${deleted}`, {})).toBe(404)

  await author.client.call(contract.restoreComment, { params: { videoId, commentId: thread } })
  expect(await held()).toEqual(['held'])
  expect(contents((await listReplies(thread)).items)).toEqual(['published'])
  expect(await post(`restore/${videoId}/${deleted}`, {})).toBe(200)
})

test('offers the people of a conversation first, then others by username', async () => {
  const videoId = await addVideo(site, owner.user._id)
  await add(author, videoId, 'First')
  const offer = async (text?: string) =>
    (
      await other.client.call(contract.listMentionable, { params: { videoId }, query: text ? { text } : {} })
    ).map(({ username }) => username)
  expect((await offer()).toSorted()).toEqual([author.user.username, owner.user.username].toSorted())
  expect((await offer(other.user.username.slice(0, -1).toUpperCase())).includes(other.user.username)).toBe(
    true,
  )
  expect((await offer(author.user.username))[0]).toBe(author.user.username)
})
