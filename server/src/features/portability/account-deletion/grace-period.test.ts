import { listPeople } from '@kinora/contract/operations/people.ts'
import { changeSuspension, changeTakedown } from '@kinora/contract/operations/moderation.ts'
import { getAccountDeletion, keepAccount } from '@kinora/contract/portability/account-deletion.ts'
import { putSiteSettings } from '@kinora/contract/operations/site.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs } from '@kinora/platform/durations.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createMailbox, type TestMailbox } from '../../../testing/fixtures/test-mailbox.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { untilWaitingForLock } from '../../../testing/waiting-for-lock.ts'
import { deleteRemoved } from '../../conversation/comments/queries/deletions.ts'
import { updateRole, updateSuspension } from '../../accounts/users/queries.ts'
import { cancelDeletion, deleteAccount, deleteOwnAccount } from './actions.ts'
import { removeLeavingAccounts } from './jobs.ts'

const users = '/api/v1/users'
const { signal } = new AbortController()
let mailbox: TestMailbox
let site: TestApp
let administrator: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  mailbox = await createMailbox()
  site = await createTestApp({ worker: true, settings: { ...mailbox.settings, PREPARE_POLICY: 'none' } })
  administrator = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
  await administrator.client.call(putSiteSettings, { body: { deletionDays: 14 } })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(() => {
  mailbox.mails.length = 0
})

const leave = async ({ client }: Pick<Awaited<ReturnType<typeof signUp>>, 'client'>) => {
  const { status, body } = await client.post(`${users}/deleteaccount`, { password: testPassword })
  expect([status, body.message]).toEqual([200, 'Account deleted'])
}

const signIn = async (username: string) => {
  const client = site.client()
  const response = await client.post(`${users}/login`, { username, password: testPassword })
  return { client, response }
}

const removeDue = () => removeLeavingAccounts.handle({}, site.context, signal)

/** An account with a video, a playlist and a comment, what shows each of it to others, and somebody who follows it. */
async function createHolder() {
  const holder = await signUp(site)
  const follower = await signUp(site)
  const { username } = holder.user
  const own = await upload(holder.client, `Heron of ${username}`)
  const other = await addVideo(site, follower.user._id)
  await holder.client.post('/api/v1/comment/add', { videoId: other, content: 'I was here' })
  await follower.client.post(`/api/v1/sub/channel/${username}`)
  await holder.client.post(`/api/v1/sub/channel/${follower.user.username}`)
  const muting = await signUp(site)
  await muting.client.put(`/api/v1/muted-people/${username}`, { isBlocked: false })
  const playlist = await holder.client.post('/api/v1/playlists', {
    title: `Birds of ${username}`,
    visibility: 'public',
  })
  const playlistId = (playlist.body.data as { _id: string })._id
  const pages = [
    `/api/v1/video/${own._id}`,
    '/api/v1/video/all',
    `/api/v1/video/search/${username}`,
    `/api/v1/comment/get/${other}`,
    `${users}/c/${username}`,
    `/api/v1/playlists/${playlistId}`,
    `/api/v1/sub/all/${follower.user.username}`,
    '/api/v1/notifications',
    `/c/${username}/videos`,
  ]
  const files = [own.videoFile, own.thumbnail, holder.user.avatar]
  const shownTo = async (client = follower.client) => {
    const responses = await Promise.all(pages.map((page) => client.get(page)))
    const muted = await muting.client.get('/api/v1/muted-people')
    return [...pages, 'muted people'].filter((_, at) => {
      const { status, text } = responses[at] ?? muted
      return status === 200 && text.includes(username)
    })
  }
  const statusesOf = () => Promise.all(files.map(async (file) => (await site.client().fetch(file)).status))
  return { holder, follower, username, shownTo, statusesOf }
}

test('hides a deleted account everywhere, and shows all of it again when its holder keeps it', async () => {
  const { holder, username, shownTo, statusesOf } = await createHolder()
  const before = await shownTo()
  expect(before).toHaveLength(10)
  const visitor = site.client()
  const toVisitor = await shownTo(visitor)
  expect(await statusesOf()).toEqual([200, 200, 200])

  await leave(holder)
  expect(await shownTo()).toEqual([])
  expect(await shownTo(visitor)).toEqual([])
  expect(await statusesOf()).toEqual([404, 404, 404])
  expect((await holder.client.get(`${users}/currentuser`)).status).toBe(401)

  const { client, response } = await signIn(username)
  const deletesAt = new Date(site.clock.now().getTime() + 14 * dayMs).toISOString()
  expect([response.status, response.body.data]).toEqual([
    200,
    { user: expect.objectContaining({ username, deletesAt }) },
  ])
  expect(await client.call(getAccountDeletion, {})).toEqual({ username, deletesAt })
  // the session opens nothing else
  expect((await client.get(`${users}/currentuser`)).status).toBe(401)
  expect((await client.get('/api/v1/studio/videos')).status).toBe(401)
  expect(await shownTo(client)).toEqual([])
  expect((await client.post('/api/v1/comment/add', { videoId: 'x', content: 'x' })).status).toBe(401)

  // removals an hour after a deletion stay
  await site.db
    .updateTable('comments')
    .set({ deletedAt: new Date(0) })
    .where('deletedAt', 'is not', null)
    .execute()
  await deleteRemoved(site.db)
  await client.call(keepAccount, {})
  expect(await shownTo()).toEqual(before)
  expect(await shownTo(visitor)).toEqual(toVisitor)
  expect(await statusesOf()).toEqual([200, 200, 200])
  expect(await client.get(`${users}/currentuser`)).toMatchObject({ status: 200 })
  await expect(client.call(getAccountDeletion, {})).rejects.toMatchObject({ code: 'not_found' })
  site.clock.advance(15 * dayMs)
  await removeDue()
  expect((await signIn(username)).response.status).toBe(200)
})

test('removes the account on its day, frees its name then, and mails its holder', async () => {
  const leaving = await signUp(site)
  const { username, email } = leaving.user
  await leave(leaving)
  const subjects = () =>
    mailbox.mails.filter(({ recipients }) => recipients.includes(email)).map(({ subject }) => subject)
  await expect.poll(subjects, { timeout: 30_000 }).toEqual(['Your account on Kinora is being deleted'])
  await expect(signUp(site, { username })).rejects.toThrow('Could not register: 409')
  site.clock.advance(14 * dayMs - 1)
  await removeDue()
  expect((await signIn(username)).response.status).toBe(200)
  site.clock.advance(1)
  await removeDue()
  expect((await signIn(username)).response.status).toBe(401)
  await expect.poll(subjects).toContain('Your account on Kinora was removed')
  await signUp(site, { username, email })
})

test('shows moderators the day, who reinstate the account but none of its videos alone', async () => {
  const leaving = await signUp(site)
  const { username } = leaving.user
  const id = await addVideo(site, leaving.user._id)
  await leave(leaving)
  const { client } = administrator
  const { people } = await client.call(listPeople, { query: { show: 'leaving', text: username } })
  expect(people).toMatchObject([{ username, deletesAt: expect.any(String) }])
  const params = { username }
  await expect(
    client.call(changeSuspension, { params, body: { isSuspended: true, reason: '' } }),
  ).rejects.toMatchObject({ code: 'conflict' })
  await expect(client.call(changeTakedown, { params: { id }, body: { reason: null } })).rejects.toMatchObject(
    { code: 'conflict' },
  )
  expect(await client.call(changeSuspension, { params, body: { isSuspended: false } })).toMatchObject({
    deletesAt: null,
    suspendedAt: null,
  })
  expect((await site.client().get(`/api/v1/video/${id}`)).status).toBe(200)
})

test('keeps what moderators have taken down hidden when the account is kept', async () => {
  const leaving = await signUp(site)
  const [shown, takenDown] = [await addVideo(site, leaving.user._id), await addVideo(site, leaving.user._id)]
  await administrator.client.call(changeTakedown, {
    params: { id: takenDown },
    body: { reason: 'Copied' },
  })
  await leave(leaving)
  const { client } = await signIn(leaving.user.username)
  await client.call(keepAccount, {})
  const statuses = [shown, takenDown].map(
    async (id) => (await site.client().get(`/api/v1/video/${id}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([200, 404])
})

test('deletes no account that was suspended meanwhile, whose suspension would end with the deletion', async () => {
  const { user } = await signUp(site)
  await updateSuspension(site.db, user._id, site.clock.now())
  const viewer = {
    id: user._id,
    username: user.username,
    role: 'member',
    hasMuted: false,
    choices: {},
  } as const
  await expect(deleteOwnAccount(site.context, viewer, testPassword)).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})

test('removes the other accounts where one cannot be removed, and reports it', async () => {
  const stuck = await signUp(site)
  const next = await signUp(site)
  await leave(stuck)
  site.clock.advance(1)
  await leave(next)
  site.clock.advance(14 * dayMs)
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`.execute(
    site.db,
  )
  await sql`
    create trigger refuse before delete on users for each row when (old.username = ${sql.lit(stuck.user.username)})
    execute function refuse()`.execute(site.db)
  await expect(removeDue()).rejects.toThrow('Accounts could not be removed')
  const left = await site.db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [stuck.user._id, next.user._id])
    .execute()
  expect(left).toEqual([{ id: stuck.user._id }])
  await sql`drop function refuse cascade`.execute(site.db)
  await removeDue()
})

test('deletes nothing more of an account that is kept between two batches', async () => {
  const holder = await signUp(site)
  const { user } = holder
  const videoIds = [await addVideo(site, administrator.user._id), await addVideo(site, user._id)]
  for (const videoId of videoIds)
    await sql`
      insert into comments (id, video_id, author_id, content)
      select ${videoId} || '-' || at, ${videoId}, ${user._id}, 'x' from generate_series(1, 10001) at`.execute(
      site.db,
    )
  await leave(holder)
  site.clock.advance(15 * dayMs)
  const now = site.clock.now()
  let checks = 0
  let kept: Promise<void> | undefined
  const isDue = (deletesAt: Date | null) => {
    checks += 1
    // the second check is in the transaction of the first batch, for which this waits
    if (checks === 2) kept = cancelDeletion(site.context, user._id)
    return deletesAt !== null && deletesAt <= now
  }
  expect(await deleteAccount(site.context, user._id, undefined, { isDue })).toBe(0)
  await kept
  const { rows } = await sql<{ videoId: string; count: number }>`
    select video_id, count(*)::int as count from comments
    where author_id = ${user._id} and deleted_at is null group by video_id`.execute(site.db)
  const counts = new Map(rows.map(({ videoId, count }) => [videoId, count]))
  expect(videoIds.map((id) => counts.get(id))).toEqual([10_001, expect.toSatisfy((left) => left > 0)])
  const { client } = await signIn(user.username)
  expect((await client.get(`${users}/currentuser`)).status).toBe(200)
  expect(await deleteAccount(site.context, user._id)).toBe(1)
})

test('ends between two batches when its job is aborted, and goes on later', async () => {
  const { user } = await signUp(site)
  const videoId = await addVideo(site, administrator.user._id)
  await sql`
    insert into comments (id, video_id, author_id, content)
    select ${videoId} || '-' || at, ${videoId}, ${user._id}, 'x' from generate_series(1, 12001) at`.execute(
    site.db,
  )
  const job = new AbortController()
  let checks = 0
  const isDue = () => {
    checks += 1
    // the second check is in the transaction of the first batch
    if (checks === 2) job.abort()
    return true
  }
  await expect(
    deleteAccount(site.context, user._id, undefined, { isDue, signal: job.signal }),
  ).rejects.toThrow('aborted')
  const left = site.db.selectFrom('comments').select('id').where('authorId', '=', user._id)
  expect((await left.where('deletedAt', 'is', null).execute()).length).toBe(10_001)
  expect(await deleteAccount(site.context, user._id)).toBe(0)
  expect(await left.execute()).toEqual([])
})

test('suspends and reinstates nobody whose deletion begins meanwhile', async () => {
  for (const isSuspended of [true, false]) {
    const { user } = await signUp(site)
    const body = isSuspended ? { isSuspended, reason: '' } : { isSuspended }
    const changed = site.db.transaction().execute(async (transaction) => {
      const dates = { deletesAt: site.clock.now(), suspendedAt: site.clock.now() }
      await transaction.updateTable('users').set(dates).where('id', '=', user._id).execute()
      const answer = administrator.client
        .call(changeSuspension, { params: { username: user.username }, body })
        .catch((error: unknown) => error)
      await untilWaitingForLock(site, 'update "users"')
      return { answer }
    })
    expect(await (await changed).answer).toMatchObject({ code: 'conflict' })
    expect(
      await site.db.selectFrom('users').select('deletesAt').where('id', '=', user._id).executeTakeFirst(),
    ).toMatchObject({ deletesAt: expect.any(Date) })
  }
})
