import {
  approveAnyComments,
  holdAnyComments,
  listAllComments,
} from '@kinora/contract/operations/moderation.ts'
import { getOverview, listAuditLog } from '@kinora/contract/operations/administration.ts'
import * as contract from '@kinora/contract/conversation/comments.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import { putSiteSettings, type SiteSettings } from '@kinora/contract/operations/site.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateRole } from '../../accounts/users/queries.ts'

type Member = Awaited<ReturnType<typeof signUp>>

let site: TestApp
let administrator: Member
let owner: Member

beforeAll(async () => {
  site = await createTestApp()
  administrator = await signUp(site)
  owner = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
})
afterAll(() => site.close())
afterEach(() => set({ watchedWords: '', holdFirstComments: false, holdFirstLinks: false }))

async function set(changes: Partial<SiteSettings>): Promise<void> {
  const body = { ...site.context.siteSettings.current, ...changes }
  await administrator.client.call(putSiteSettings, { body })
}
const add = (by: Member, videoId: string, content: string) =>
  by.client.call(contract.addComment, { body: { videoId, content } })
const shown = async (videoId: string) =>
  (await site.client().call(contract.listComments, { params: { videoId } })).items.map(
    ({ content }) => content,
  )

test('a stranger spams fifty links and none becomes visible', async () => {
  const stranger = await signUp(site)
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await add(owner, videoId, 'Welcome')
  await set({ holdFirstLinks: true })
  for (let count = 0; count < 25; count++) {
    expect((await add(stranger, videoId, `Cheap https://watches.example/${count}`)).isHeld).toBe(true)
    const reply = { params: { commentId }, body: { content: `Or at WWW.watches.example, ${count}` } }
    expect((await stranger.client.call(contract.addReply, reply)).isHeld).toBe(true)
  }
  expect(await shown(videoId)).toEqual(['Welcome'])
  // nor by an edit
  const { _id: plain } = await add(stranger, videoId, 'Nice')
  await stranger.client.call(contract.editComment, {
    params: { commentId: plain },
    body: { content: 'Nice: watches.shop' },
  })
  expect(await shown(videoId)).toEqual(['Welcome'])
})

test('links are published once the owner of a video has approved one', async () => {
  const member = await signUp(site)
  const videoId = await addVideo(site, owner.user._id)
  await set({ holdFirstLinks: true })
  const { _id: commentId } = await add(member, videoId, 'My notes: https://notes.example')
  await owner.client.call(contract.approveComment, { params: { videoId, commentId } })
  expect(await add(member, videoId, 'More: https://notes.example/2')).toMatchObject({ isHeld: false })
})

test('the first comment of an account waits where the site says so', async () => {
  const member = await signUp(site)
  const videoId = await addVideo(site, owner.user._id)
  await set({ holdFirstComments: true })
  const { _id: commentId, isHeld } = await add(member, videoId, 'Hello')
  expect(isHeld).toBe(true)
  expect((await add(member, videoId, 'Hello?')).isHeld).toBe(true)
  expect((await add(owner, videoId, 'Mine')).isHeld).toBe(false)
  await owner.client.call(contract.approveComment, { params: { videoId, commentId } })
  expect((await add(member, videoId, 'Thanks')).isHeld).toBe(false)
})

test('an approval by the owner of a video counts on that channel only, one by a moderator everywhere', async () => {
  const [spammer, accomplice] = [await signUp(site), await signUp(site)]
  const accomplices = await addVideo(site, accomplice.user._id)
  const videoId = await addVideo(site, owner.user._id)
  await set({ holdFirstComments: true, holdFirstLinks: true })
  const link = 'https://watches.example'
  const { _id: commentId } = await add(spammer, accomplices, link)
  await accomplice.client.call(contract.approveComment, { params: { videoId: accomplices, commentId } })
  expect(await add(spammer, accomplices, link)).toMatchObject({ isHeld: false })
  const { _id: held, isHeld } = await add(spammer, videoId, link)
  expect(isHeld).toBe(true)
  await administrator.client.call(approveAnyComments, { body: { ids: [held] } })
  expect(await add(spammer, await addVideo(site, accomplice.user._id), link)).toMatchObject({ isHeld: false })
  expect(await add(spammer, videoId, link)).toMatchObject({ isHeld: false })
})

test('moderators approve comments that wait, and take that back', async () => {
  const [member, moderator] = [await signUp(site), await signUp(site)]
  await updateRole(site.db, moderator.user._id, 'moderator')
  const videoId = await addVideo(site, owner.user._id)
  const approvedByOwner = await addVideo(site, owner.user._id, { commentsHeld: true })
  await set({ watchedWords: 'queued', watchedWordsAction: 'hold' })
  const { _id: id } = await add(member, videoId, 'Queued words')
  const { _id: ofOwner } = await add(member, approvedByOwner, 'Queued for the owner')
  const careful = await signUp(site)
  await careful.client.call(contract.putWatchedWords, {
    body: { watchedWords: 'queued', watchedWordsAction: 'hold' },
  })
  const ofChannel = await add(member, await addVideo(site, careful.user._id), 'Queued for the channel')
  expect(ofChannel.isHeld).toBe(true)
  const { _id: published } = await add(member, videoId, 'Hello')
  const queue = async () =>
    (await moderator.client.call(listAllComments, { query: { show: 'held', text: 'queued' } })).comments
  expect(await queue()).toMatchObject([{ _id: id, isHeld: true }])
  const { total } = await moderator.client.call(listAllComments, { query: { show: 'held' } })
  expect(await moderator.client.call(getOverview, {})).toMatchObject({ waitingComments: total })
  const notified = async () =>
    (await member.client.call(listNotifications, { query: {} })).items.map(({ kind }) => kind)

  const ids = [id, published, 'nothing']
  expect(await moderator.client.call(approveAnyComments, { body: { ids } })).toEqual({ ids: [id] })
  expect(await queue()).toEqual([])
  expect(await shown(videoId)).toEqual(['Hello', 'Queued words'])
  expect(await moderator.client.call(approveAnyComments, { body: { ids } })).toEqual({ ids: [] })
  const reply = { params: { commentId: id }, body: { content: 'Now I see it' } }
  await owner.client.call(contract.addReply, reply)
  expect(await notified()).toEqual(['reply'])

  expect(await moderator.client.call(holdAnyComments, { body: { ids: [id] } })).toEqual({ ids: [id] })
  expect(await queue()).toMatchObject([{ _id: id }])
  expect(await shown(videoId)).toEqual(['Hello'])
  const { entries } = await administrator.client.call(listAuditLog, { query: { text: id } })
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['hold_comment', moderator.user.username],
    ['approve_comment', moderator.user.username],
  ])
  await owner.client.call(contract.holdComment, { params: { videoId, commentId: published } })
  const hidden = { query: { show: 'held', text: 'hello' } } as const
  const waiting = (await moderator.client.call(listAllComments, hidden)).comments
  expect(waiting.map(({ _id }) => _id)).not.toContain(published)
  // comments that the owner holds are listed among all comments only
  const all = await moderator.client.call(listAllComments, { query: { text: 'queued for' } })
  expect(all.comments).toMatchObject([
    { _id: ofChannel._id, isHeld: true },
    { _id: ofOwner, isHeld: true },
  ])
})

test('comments on a video of one’s own do not count as published ones', async () => {
  const stranger = await signUp(site)
  const own = await addVideo(site, stranger.user._id)
  const videoId = await addVideo(site, owner.user._id)
  await set({ holdFirstComments: true, holdFirstLinks: true })
  expect((await add(stranger, own, 'Mine: https://watches.example')).isHeld).toBe(false)
  expect((await add(stranger, videoId, 'Hello')).isHeld).toBe(true)
  await set({ holdFirstComments: false })
  expect((await add(stranger, videoId, 'https://watches.example')).isHeld).toBe(true)
})

test('watched words of a channel do not show that one of its private videos exists', async () => {
  const member = await signUp(site)
  const videoId = await addVideo(site, owner.user._id, { visibility: 'private' })
  await owner.client.call(contract.putWatchedWords, {
    body: { watchedWords: 'spoiler', watchedWordsAction: 'refuse' },
  })
  await expect(add(member, videoId, 'A spoiler')).rejects.toMatchObject({ status: 404 })
})

test('watched words of the site hold or refuse, as whole words and in any disguise', async () => {
  const member = await signUp(site)
  const videoId = await addVideo(site, owner.user._id)
  await set({ watchedWords: 'casino\n cheap watches ', watchedWordsAction: 'refuse' })
  for (const content of ['Best CASINO!', 'ｃａｓｉｎｏ', 'cas\u00adino', 'Buy cheap watches.'])
    await expect(add(member, videoId, content)).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'content', message: 'This comment has words that are not allowed here' }],
    })
  expect((await add(member, videoId, 'Casinos are boring')).isHeld).toBe(false)
  await set({ watchedWordsAction: 'hold' })
  expect((await add(member, videoId, 'Best casino!')).isHeld).toBe(true)
})

test('watched words of a channel apply to its videos only', async () => {
  const [member, other] = [await signUp(site), await signUp(site)]
  await owner.client.call(contract.putWatchedWords, {
    body: { watchedWords: 'spoiler', watchedWordsAction: 'hold' },
  })
  expect(await owner.client.call(contract.getWatchedWords, {})).toMatchObject({ watchedWords: 'spoiler' })
  const content = 'A spoiler: he wins'
  expect((await add(member, await addVideo(site, owner.user._id), content)).isHeld).toBe(true)
  expect((await add(member, await addVideo(site, other.user._id), content)).isHeld).toBe(false)
})

test('an owner reads comments on all own videos, and those that wait apart from them', async () => {
  const [creator, member] = [await signUp(site), await signUp(site)]
  const [first, second] = [await addVideo(site, creator.user._id), await addVideo(site, creator.user._id)]
  const elsewhere = await addVideo(site, owner.user._id)
  const received = async (show: 'held' | 'published') =>
    (await creator.client.call(contract.listReceivedComments, { query: { show } })).items.map(
      ({ _id, content, video }) => ({ _id, content, videoId: video._id }),
    )
  const { _id: commentId } = await add(member, first, 'On the first')
  await add(member, elsewhere, 'On the video of somebody else')
  await member.client.call(contract.addReply, { params: { commentId }, body: { content: 'A reply' } })
  await creator.client.call(contract.putWatchedWords, {
    body: { watchedWords: 'casino', watchedWordsAction: 'hold' },
  })
  const { _id: held } = await add(member, second, 'casino')
  expect(await received('published')).toMatchObject([
    { content: 'A reply', videoId: first },
    { content: 'On the first', videoId: first },
  ])
  expect(await received('held')).toEqual([{ _id: held, content: 'casino', videoId: second }])

  await creator.client.call(contract.approveComment, { params: { videoId: second, commentId: held } })
  expect(await received('held')).toEqual([])
  expect((await received('published'))[0]).toMatchObject({ content: 'casino' })
  // a reply goes with its comment
  await creator.client.call(contract.removeComment, { params: { videoId: first, commentId } })
  expect(await received('published')).toMatchObject([{ content: 'casino' }])
  const page = await creator.client.call(contract.listReceivedComments, { query: { limit: '1' } })
  expect(page.items).toHaveLength(1)
})
