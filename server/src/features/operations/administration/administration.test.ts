import * as administration from '@kinora/contract/operations/administration.ts'
import * as moderation from '@kinora/contract/operations/moderation.ts'
import * as people from '@kinora/contract/operations/people.ts'
import {
  addComment,
  deleteComment,
  listComments,
  removeComment,
} from '@kinora/contract/conversation/comments.ts'
import type { PeopleFilter, VideoState } from '@kinora/contract/constants.ts'
import { listReports } from '@kinora/contract/operations/reports.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Db } from '../../../context/database.ts'
import { createDb, createPool } from '@kinora/platform/db/pool.ts'
import { newId } from '@kinora/platform/ids.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { untilWaitingForLock } from '../../../testing/waiting-for-lock.ts'
import { beginImport } from '../../portability/account-imports/actions/begin-import.ts'
import { findRunningImport } from '../../portability/account-imports/queries.ts'
import { deleteRemoved } from '../../conversation/comments/queries/deletions.ts'
import { assertStillSignedIn } from '../../accounts/sessions/actions.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { findOpenImport } from '../../portability/video-imports/queries.ts'
import { changeSuspension, revokeTokensOf } from '../people/actions.ts'
import { deleteAnyComments } from './actions/comments.ts'
import { searchAsModerator } from './actions/search-as-moderator.ts'
import { countContent, listAuditLog, lockRoles } from './queries.ts'

type Person = Awaited<ReturnType<typeof signUp>>

let site: TestApp
let administrator: Person
let moderator: Person
let member: Person

beforeAll(async () => {
  site = await createTestApp()
  administrator = await signUp(site)
  moderator = await signUp(site)
  member = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
  await updateRole(site.db, moderator.user._id, 'moderator')
})
afterAll(() => site.close())

const suspend = (by: Person, who: Person, isSuspended = true) =>
  by.client.call(moderation.changeSuspension, {
    params: { username: who.user.username },
    body: { isSuspended },
  })

const lastEntry = async () => {
  const { entries } = await administrator.client.call(administration.listAuditLog, { query: { limit: 1 } })
  return entries[0]
}

test('lists the audit log entry by entry while new entries arrive', async () => {
  const page = async (query: object) =>
    (await administrator.client.call(administration.listAuditLog, { query })).entries
  const person = await signUp(site)
  for (const isSuspended of [true, false, true, false]) await suspend(moderator, person, isSuspended)
  const [first, second, third] = await page({ limit: 3 })
  await suspend(moderator, person)
  await suspend(moderator, person, false)
  expect(await page({ limit: 2, before: Number(first?._id) })).toEqual([second, third])
  expect(await page({ limit: 1000, before: 1 })).toEqual([])
})

test('a role takes effect with the next request and is part of the account', async () => {
  const { client, user } = await signUp(site)
  const params = { username: user.username }
  expect((await client.call(getCurrentUser, {})).role).toBe('member')
  await expect(client.call(administration.getOverview, {})).rejects.toMatchObject({ status: 403 })
  await administrator.client.call(people.changeRole, { params, body: { role: 'moderator' } })
  expect(await client.call(administration.getOverview, {})).toMatchObject({ takenDownVideos: 0 })
  expect((await client.call(getCurrentUser, {})).role).toBe('moderator')
  expect(await lastEntry()).toMatchObject({
    actor: administrator.user.username,
    action: 'change_role',
    subject: user.username,
    details: 'moderator',
  })
  await administrator.client.call(people.changeRole, { params, body: { role: 'member' } })
  await expect(client.call(administration.getOverview, {})).rejects.toMatchObject({ status: 403 })
})

test('estimates the numbers of large tables, and counts open tasks', async () => {
  const [seen, hidden] = [
    await addVideo(site, member.user._id, { views: 5, likesCount: 2, durationSeconds: 7200 }),
    await addVideo(site, member.user._id, { views: 3, visibility: 'private', takedownReason: 'Spam' }),
  ]
  const day = site.clock.now()
  for (const videoId of [seen, hidden])
    await site.db.insertInto('dailyViews').values({ videoId, day, views: 3 }).execute()
  await site.db.insertInto('pendingViews').values({ videoId: seen }).execute()
  const body = { videoId: seen, content: 'Counted' }
  const { _id } = await member.client.call(addComment, { body })
  await member.client.call(addComment, { body })
  await member.client.call(deleteComment, { params: { videoId: seen, commentId: _id } })
  await sql`analyze`.execute(site.db)
  const exact = await countContent(site.db, day)
  expect(exact).toMatchObject({ takenDownVideos: 1, comments: 1, likes: 2, views: 9, viewsOf28Days: 7 })
  expect(exact).not.toHaveProperty('estimates')
  // each sample is the whole table
  const { estimates, ...estimated } = await countContent(site.db, day, null, 1)
  expect(estimated).toEqual({ ...exact, sourceBytes: Number(exact.sourceBytes.toPrecision(3)) })
  expect(estimates).toEqual(
    expect.arrayContaining(['users', 'videos', 'comments', 'viewsOf28Days', 'signedIn']),
  )
  expect(estimates).not.toContain('takenDownVideos')
})

test('a suspension ends the sessions of a member at once, until it is taken back', async () => {
  const person = await signUp(site)
  expect((await suspend(moderator, person)).suspendedAt).not.toBeNull()
  expect((await person.client.get('/api/v1/users/currentuser')).status).toBe(401)
  expect(await lastEntry()).toMatchObject({ action: 'suspend', actor: moderator.user.username })
  expect((await suspend(moderator, person, false)).suspendedAt).toBeNull()
})

test('a suspension hides videos and comments where that is chosen, until it is taken back', async () => {
  const person = await signUp(site)
  const { _id: ownerId, username } = person.user
  const [id, takenDown] = [await addVideo(site, ownerId), await addVideo(site, ownerId)]
  const other = await addVideo(site, member.user._id)
  await person.client.call(addComment, { body: { videoId: other, content: 'I was here' } })
  await moderator.client.call(moderation.changeTakedown, {
    params: { id: takenDown },
    body: { reason: 'Spam' },
  })
  const visitor = site.client()
  const pages = [
    '/api/v1/video/all',
    `/api/v1/video/${id}`,
    `/api/v1/video/search/${username}`,
    `/api/v1/comment/get/${other}`,
  ]
  const showing = async () => {
    const responses = await Promise.all(pages.map((page) => visitor.get(page)))
    return pages.filter((_, at) => responses[at]?.text.includes(username))
  }
  const change = (isSuspended: boolean, hidesContent: boolean) =>
    moderator.client.call(moderation.changeSuspension, {
      params: { username },
      body: { isSuspended, hidesContent },
    })
  const showAgain = (videoId: string) =>
    moderator.client.call(moderation.changeTakedown, { params: { id: videoId }, body: { reason: null } })
  await change(true, false)
  expect(await showing()).toEqual(pages)
  await change(true, true)
  expect(await showing()).toEqual([])
  expect(await lastEntry()).toMatchObject({ action: 'suspend', details: '(content hidden)' })
  await expect(showAgain(id)).rejects.toMatchObject({ status: 409 })

  // comments that moderators deleted are gone by then
  await sql`update comments set deleted_at = deleted_at - interval '31 days' where author_id = ${ownerId}`.execute(
    site.db,
  )
  await deleteRemoved(site.db)
  await change(false, false)
  expect(await showing()).toEqual(pages)
  expect((await visitor.get(`/api/v1/video/${takenDown}`)).status).toBe(404)
})

test('a comment that a suspension hides can be deleted, and stays deleted once the account is reinstated', async () => {
  const person = await signUp(site)
  const { username } = person.user
  const videoId = await addVideo(site, member.user._id)
  const ids: string[] = []
  for (const content of ['one', 'two', 'three'])
    ids.push((await person.client.call(addComment, { body: { videoId, content } }))._id)
  const [byModerator = '', byOwner = '', kept] = ids
  const change = (isSuspended: boolean) =>
    moderator.client.call(moderation.changeSuspension, {
      params: { username },
      body: { isSuspended, hidesContent: true },
    })
  await change(true)
  await moderator.client.call(moderation.deleteAnyComments, { body: { ids: [byModerator] } })
  await member.client.call(removeComment, { params: { videoId, commentId: byOwner } })
  await change(false)
  const { items } = await site.client().call(listComments, { params: { videoId } })
  expect(items.map(({ _id }) => _id)).toEqual([kept])
})

test.each<[string, (person: Person) => Promise<(db: Db) => Promise<unknown>>]>([
  [
    'an upload',
    async ({ client, user }) => {
      const session = { token: client.cookies.get('session') ?? '', userId: user._id }
      return (db) => assertStillSignedIn({ db, clock: site.clock }, session)
    },
  ],
  [
    'an import from an address',
    async ({ user }) => {
      const id = newId()
      const row = { id, ownerId: user._id, url: 'https://media.example.org/a.mp4', title: 'Salt' }
      const added = { ...row, visibility: 'public', createdAt: site.clock.now() }
      await site.db.insertInto('videoImports').values(added).execute()
      return (db) => findOpenImport(db, id)
    },
  ],
  [
    'an import of the account',
    async ({ user }) => {
      const { id } = await beginImport(site.context, user._id)
      return (db) => findRunningImport(db, id)
    },
  ],
])('a suspension waits for %s that publishes just now, and hides the video', async (_, prepare) => {
  const person = await signUp(site)
  const assertMayPublish = await prepare(person)
  const { suspension, videoId } = await site.db.transaction().execute(async (transaction) => {
    await assertMayPublish(transaction)
    const change = { isSuspended: true, hidesContent: true }
    const changing = changeSuspension(site.context, null, person.user.username, change)
    await untilWaitingForLock(site, 'update "users"')
    // in an object: returned alone, the transaction would wait for what waits for it
    return { suspension: { changing }, videoId: await addVideo(site, person.user._id) }
  })
  await suspension.changing
  expect((await site.client().get(`/api/v1/video/${videoId}`)).status).toBe(404)
})

test('a person who is suspended without a report reads the reason at the login, of this suspension only', async () => {
  const person = await signUp(site)
  const { username, email } = person.user
  const put = (body: { isSuspended: boolean; reason?: string }) =>
    moderator.client.call(moderation.changeSuspension, { params: { username }, body })
  const reasonAtLogin = async () => {
    const { status, body } = await site
      .client()
      .post('/api/v1/users/login', { email, password: testPassword })
    return [status, body.errors]
  }
  await put({ isSuspended: true, reason: 'Only advertising' })
  expect(await lastEntry()).toMatchObject({ action: 'suspend', details: 'Only advertising' })
  const errors = [{ path: 'suspension', message: 'Only advertising' }]
  expect(await reasonAtLogin()).toMatchObject([403, errors])
  await put({ isSuspended: false })
  expect((await reasonAtLogin())[0]).toBe(200)
  site.clock.advance(1000)
  await put({ isSuspended: true })
  expect(await reasonAtLogin()).toEqual([403, []])
  await put({ isSuspended: true, reason: 'More advertising' })
  site.clock.advance(1000)
  const answered = { email, password: testPassword, text: 'It is my shop' }
  expect((await site.client().post('/api/v1/reports/suspension/answer', answered)).status).toBe(200)
  const { reports } = await moderator.client.call(listReports, { query: { show: 'answered' } })
  expect(reports.find(({ owner }) => owner.username === username)).toMatchObject({
    entriesCount: 0,
    note: 'More advertising',
    answer: 'It is my shop',
  })
  await expect(put({ isSuspended: true, reason: 'x'.repeat(501) })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'reason' }],
  })
})

test('moderators cannot act on each other, and nobody on their own account', async () => {
  const forbidden = { status: 403 }
  const other = await signUp(site)
  await updateRole(site.db, other.user._id, 'moderator')
  await expect(suspend(moderator, other)).rejects.toMatchObject(forbidden)
  await expect(suspend(moderator, administrator)).rejects.toMatchObject(forbidden)
  await expect(suspend(administrator, administrator)).rejects.toMatchObject(forbidden)
  const own = { params: { username: administrator.user.username } }
  const demotion = administrator.client.call(people.changeRole, { ...own, body: { role: 'member' } })
  await expect(demotion).rejects.toMatchObject(forbidden)
  await expect(administrator.client.call(people.deletePerson, own)).rejects.toMatchObject(forbidden)
  expect((await suspend(administrator, other)).suspendedAt).not.toBeNull()
})

test('of two administrators who demote each other at once, one stays', async () => {
  const [first, second] = [await signUp(site), await signUp(site)]
  for (const { user } of [first, second]) await updateRole(site.db, user._id, 'administrator')
  const demote = (by: Person, { user }: Person) =>
    by.client.call(people.changeRole, {
      params: { username: user.username },
      body: { role: 'member' },
    })
  const [both] = await site.db.transaction().execute(async (transaction) => {
    await lockRoles(transaction)
    const demotions = Promise.allSettled([demote(first, second), demote(second, first)])
    await untilWaitingForLock(site, 'pg_advisory_xact_lock', 2)
    return [demotions]
  })
  const settled = await both
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (const { user } of [first, second]) await updateRole(site.db, user._id, 'member')
})

test('an administrator who was demoted meanwhile revokes no tokens', async () => {
  const { user } = await signUp(site)
  const actor = { id: user._id, username: user.username, role: 'administrator' as const }
  const revoked = revokeTokensOf(site.context, actor, moderator.user.username)
  await expect(revoked).rejects.toMatchObject({ code: 'forbidden' })
})

test('people are found by username, name or email, with what they hold', async () => {
  const { user } = await signUp(site, { fullname: 'Wanda Fisher' })
  await addVideo(site, user._id)
  const { people: found, total } = await moderator.client.call(people.listPeople, {
    query: { text: 'wanda f' },
  })
  expect([found, total]).toEqual([[expect.objectContaining({ username: user.username, videos: 1 })], 1])
  const { people: page } = await moderator.client.call(people.listPeople, {
    query: { limit: 1, offset: 1 },
  })
  expect(page).toHaveLength(1)
})

test('lists show only suspended accounts, a role, or videos of a state', async () => {
  const { user } = await signUp(site, { fullname: 'Filtered Fisher' })
  await suspend(moderator, { client: site.client(), user })
  const usernames = async (query: { text?: string; show: PeopleFilter }) =>
    (await moderator.client.call(people.listPeople, { query })).people.map(({ username }) => username)
  expect(await usernames({ text: 'filtered f', show: 'suspended' })).toEqual([user.username])
  expect(await usernames({ text: 'filtered f', show: 'moderator' })).toEqual([])
  expect(await usernames({ show: 'administrator' })).toEqual([administrator.user.username])
  const id = await addVideo(site, member.user._id, { title: 'Filtered' })
  const titles = async (state: VideoState) =>
    (await moderator.client.call(moderation.listAllVideos, { query: { text: 'filtered', state } })).videos
  expect(await titles('taken_down')).toEqual([])
  await moderator.client.call(moderation.changeTakedown, { params: { id }, body: { reason: 'Spam' } })
  expect(await titles('taken_down')).toMatchObject([{ _id: id, thumbnail: null }])
})

test('a video is hidden with a reason that the log keeps, shown again, and deleted', async () => {
  const id = await addVideo(site, member.user._id, { title: 'Contested' })
  const statusForVisitors = async () => (await site.client().get(`/api/v1/video/${id}`)).status
  expect(await statusForVisitors()).toBe(200)
  const change = (reason: string | null) =>
    moderator.client.call(moderation.changeTakedown, { params: { id }, body: { reason } })
  await change('The music is not yours')
  expect(await statusForVisitors()).toBe(404)
  expect(await lastEntry()).toMatchObject({ action: 'take_down', details: 'The music is not yours' })
  const { videos } = await moderator.client.call(moderation.listAllVideos, { query: { text: 'contested' } })
  expect(videos).toMatchObject([{ _id: id, state: 'taken_down', owner: member.user.username }])
  await change(null)
  expect(await statusForVisitors()).toBe(200)
  await expect(change('  ')).rejects.toMatchObject({ status: 400 })
  await administrator.client.call(moderation.deleteAnyVideo, { params: { id } })
  expect(await statusForVisitors()).toBe(404)
  expect(await lastEntry()).toMatchObject({ action: 'delete_video', details: 'Contested' })
})

test('a moderator does not show an own video again', async () => {
  const id = await addVideo(site, moderator.user._id)
  const change = (by: Pick<typeof moderator, 'client'>, reason: string | null) =>
    by.client.call(moderation.changeTakedown, { params: { id }, body: { reason } })
  await change(administrator, 'The music is not yours')
  await expect(change(moderator, null)).rejects.toMatchObject({ status: 403 })
  expect((await site.client().get(`/api/v1/video/${id}`)).status).toBe(404)
  await change(administrator, null)
  expect((await site.client().get(`/api/v1/video/${id}`)).status).toBe(200)
})

test('comments of a spammer are deleted together, and can be restored', async () => {
  const videoId = await addVideo(site, member.user._id)
  const spammer = await signUp(site)
  for (const content of ['Cheap watches', 'More watches'])
    await spammer.client.call(addComment, { body: { videoId, content } })
  const shown = async () => (await site.client().call(listComments, { params: { videoId } })).items.length
  const { comments } = await moderator.client.call(moderation.listAllComments, {
    query: { text: spammer.user.username },
  })
  const ids = comments.map(({ _id }) => _id)
  expect(
    await moderator.client.call(moderation.deleteAnyComments, { body: { ids: [...ids, 'none'] } }),
  ).toEqual({
    ids: expect.toSatisfy((deleted: string[]) => deleted.toSorted().join() === ids.toSorted().join()),
  })
  expect(await shown()).toBe(0)
  const restored = await moderator.client.call(moderation.restoreAnyComments, { body: { ids } })
  expect(restored.ids).toHaveLength(2)
  expect(await shown()).toBe(2)
  expect(await lastEntry()).toMatchObject({ action: 'restore_comment' })
})

test('comments are listed by their author, and those that moderators deleted can be restored', async () => {
  const [author, namesake] = [await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, member.user._id)
  const write = async ({ client }: Person, content: string) =>
    (await client.call(addComment, { body: { videoId, content } }))._id
  const [first, second, own] = [
    await write(author, 'First'),
    await write(author, 'Second'),
    await write(author, 'Own'),
  ]
  await write(namesake, `I am not ${author.user.username}`)
  const list = async (show?: 'removed') => {
    const query = { author: author.user.username.toUpperCase(), show }
    const { comments, total } = await moderator.client.call(moderation.listAllComments, { query })
    expect(total).toBe(comments.length)
    return comments.map(({ _id, removedAt }) => [_id, removedAt !== null])
  }
  expect(await list()).toEqual([own, second, first].map((id) => [id, false]))
  // its author cannot have it restored by moderators
  await author.client.call(deleteComment, { params: { videoId, commentId: own } })
  for (const id of [first, second]) await deleteAnyComments(site.context, null, [id])
  expect([await list(), await list('removed')]).toEqual([[], [second, first].map((id) => [id, true])])
  await moderator.client.call(moderation.restoreAnyComments, { body: { ids: [first] } })
  expect([await list(), await list('removed')]).toEqual([[[first, false]], [[second, true]]])
})

test('another moderator decides about the comments of a moderator', async () => {
  const videoId = await addVideo(site, member.user._id)
  const { _id } = await moderator.client.call(addComment, { body: { videoId, content: 'You fool' } })
  const body = { ids: [_id] }
  await deleteAnyComments(site.context, null, [_id])
  expect(await moderator.client.call(moderation.restoreAnyComments, { body })).toEqual({ ids: [] })
  expect(await administrator.client.call(moderation.restoreAnyComments, { body })).toEqual(body)
  await administrator.client.call(moderation.holdAnyComments, { body })
  expect(await moderator.client.call(moderation.approveAnyComments, { body })).toEqual({ ids: [] })
  expect(await administrator.client.call(moderation.approveAnyComments, { body })).toEqual(body)
})

test('an administrator deletes an account; the log keeps its name', async () => {
  const { client, user } = await signUp(site)
  await administrator.client.call(people.deletePerson, { params: { username: user.username } })
  expect((await client.get('/api/v1/users/currentuser')).status).toBe(401)
  expect(await lastEntry()).toMatchObject({ action: 'delete_account', subject: user.username })
})

test('an action that the log cannot record does not happen', async () => {
  const id = await addVideo(site, member.user._id)
  const { client, user } = await signUp(site)
  const { _id: commentId } = await client.call(addComment, { body: { videoId: id, content: 'Stays' } })
  const actions = [
    () => moderator.client.call(moderation.changeTakedown, { params: { id }, body: { reason: 'Spam' } }),
    () => suspend(moderator, { client, user }),
    () => moderator.client.call(moderation.deleteAnyComments, { body: { ids: [commentId] } }),
    () => administrator.client.call(moderation.deleteAnyVideo, { params: { id } }),
    () => administrator.client.call(people.deletePerson, { params: { username: user.username } }),
  ]
  await sql`alter table audit_log rename to broken_log`.execute(site.db)
  try {
    for (const act of actions) await expect(act()).rejects.toMatchObject({ status: 500 })
  } finally {
    await sql`alter table broken_log rename to audit_log`.execute(site.db)
  }
  expect((await site.client().get(`/api/v1/video/${id}`)).status).toBe(200)
  expect((await client.get('/api/v1/users/currentuser')).status).toBe(200)
  expect((await site.client().call(listComments, { params: { videoId: id } })).items).toHaveLength(1)
})

test('actions of the command line are in the log, too', async () => {
  const videoId = await addVideo(site, member.user._id)
  const { _id: id } = await member.client.call(addComment, { body: { videoId, content: 'By the machine' } })
  await deleteAnyComments(site.context, null, [id])
  expect(await lastEntry()).toMatchObject({ actor: 'command line', details: 'By the machine' })
})

test('an administrator sees and ends the sessions of a person, which the audit log tells', async () => {
  const person = await signUp(site)
  const params = { username: person.user.username }
  const { email } = person.user
  const other = site.client()
  expect((await other.post('/api/v1/users/login', { email, password: testPassword })).status).toBe(200)
  const list = () => administrator.client.call(people.listSessionsOfPerson, { params })
  const sessions = await list()
  expect(sessions).toHaveLength(2)
  await expect(moderator.client.call(people.listSessionsOfPerson, { params })).rejects.toMatchObject({
    status: 403,
  })
  const [newest] = sessions
  await administrator.client.call(people.endSessionOfPerson, {
    params: { ...params, sessionId: newest?._id ?? '' },
  })
  expect(await list()).toEqual(sessions.slice(1))
  await administrator.client.call(people.endSessionsOfPerson, { params })
  expect(await list()).toEqual([])
  for (const client of [person.client, other])
    expect((await client.get('/api/v1/users/currentuser')).status).toBe(401)
  expect(await lastEntry()).toMatchObject({
    actor: administrator.user.username,
    action: 'end_sessions',
    subject: params.username,
  })
})

test('an administrator hands over a link for a new password, which works once, for 30 minutes, without mail', async () => {
  const person = await signUp(site)
  const params = { username: person.user.username }
  const create = () => administrator.client.call(people.createPasswordLink, { params })
  const reset = async (code: string, newPassword = 'a new good password') =>
    (await site.client().post('/api/v1/users/resetpassword', { code, newPassword })).status
  const { code, expiresAt } = await create()
  expect(Date.parse(expiresAt) - site.clock.now().getTime()).toBe(30 * 60_000)
  expect(await lastEntry()).toMatchObject({
    action: 'create_password_link',
    subject: params.username,
    details: null,
  })
  expect([await reset(code), await reset(code)]).toEqual([200, 400])
  expect((await person.client.get('/api/v1/users/currentuser')).status).toBe(401)
  const login = { email: person.user.email, password: 'a new good password' }
  expect((await site.client().post('/api/v1/users/login', login)).status).toBe(200)

  const late = await create()
  site.clock.advance(30 * 60_000)
  expect(await reset(late.code)).toBe(400)
  const own = { username: administrator.user.username }
  await expect(administrator.client.call(people.createPasswordLink, { params: own })).rejects.toMatchObject({
    status: 403,
  })
})

test('a moderator sees who invited a person, and how often the person was reported', async () => {
  const person = await signUp(site)
  const params = { username: person.user.username }
  const { id } = await site.db
    .insertInto('invitations')
    .values({
      id: `of ${params.username}`,
      createdBy: moderator.user._id,
      createdAt: site.clock.now(),
      expiresAt: site.clock.now(),
      maxUses: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await site.db.updateTable('users').set({ invitationId: id }).where('id', '=', person.user._id).execute()
  const videoId = await addVideo(site, member.user._id)
  await person.client.call(addComment, { body: { videoId, content: 'Well seen' } })
  expect(await moderator.client.call(people.getPerson, { params })).toMatchObject({
    username: params.username,
    invitedBy: moderator.user.username,
    comments: 1,
    reports: 0,
    hasSecondFactor: false,
    passkeys: 0,
  })
  await expect(
    moderator.client.call(people.getPerson, { params: { username: 'nobody' } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('an administrator has a video processed again, and removes a second factor', async () => {
  const person = await signUp(site)
  const id = await addVideo(site, person.user._id)
  await site.storage.put(`segments/${id}/1/240/0.m4s`, Buffer.alloc(10))
  await administrator.client.call(moderation.reprocessAnyVideo, { params: { id } })
  expect(await site.storage.head(`segments/${id}/1/240/0.m4s`)).toBeUndefined()
  expect(await lastEntry()).toMatchObject({ action: 'reprocess_video', subject: id })
  const { videos } = await administrator.client.call(moderation.listAllVideos, {
    query: { text: person.user.username },
  })
  expect(videos).toMatchObject([{ _id: id, state: 'processing' }])

  await site.db
    .insertInto('secondFactors')
    .values({ userId: person.user._id, secret: 'abc', isConfirmed: true })
    .execute()
  const params = { username: person.user.username }
  const hasFactor = async () =>
    (await administrator.client.call(people.getPerson, { params })).hasSecondFactor
  expect(await hasFactor()).toBe(true)
  await administrator.client.call(people.removeSecondFactorOfPerson, { params })
  expect(await hasFactor()).toBe(false)
  expect(await lastEntry()).toMatchObject({ action: 'remove_second_factor', subject: params.username })
})

test('searches for a text leave connections to others', async () => {
  const db = createDb<Database>(createPool(site.databaseUrl, 3, { connectionTimeoutMillis: 2000 }))
  try {
    const searches = await site.db.transaction().execute(async (transaction) => {
      await sql`lock table audit_log in access exclusive mode`.execute(transaction)
      const search = { text: 'nothing' }
      const started = ['a', 'b', 'c', 'd'].map((id) =>
        searchAsModerator({ ...site.context, db }, id, search.text, (each) => listAuditLog(each, search)),
      )
      const other = sql`select 1`.execute(db)
      // rejects when no connection becomes free
      await Promise.all([untilWaitingForLock(site, 'audit_log', 2), other])
      return { started }
    })
    expect((await Promise.all(searches.started)).map(({ total }) => total)).toEqual([0, 0, 0, 0])
  } finally {
    await db.destroy()
  }
})
