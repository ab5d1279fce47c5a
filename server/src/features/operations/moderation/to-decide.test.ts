import { addComment } from '@kinora/contract/conversation/comments.ts'
import {
  countUnreadNotifications,
  getNotificationSettings,
  listNotifications,
  putNotificationSettings,
  readAllNotifications,
} from '@kinora/contract/messages/notifications.ts'
import {
  approveAnyComments,
  changeSuspension,
  countToDecide,
} from '@kinora/contract/operations/moderation.ts'
import { createReport, decideReport, listReports } from '@kinora/contract/operations/reports.ts'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { registrationForm, signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { changeSettings } from '../site/actions.ts'

let site: TestApp
let moderator: Awaited<ReturnType<typeof signUp>>
let owner: Awaited<ReturnType<typeof signUp>>

beforeEach(async () => {
  site = await createTestApp()
  onTestFinished(() => site.close())
  ;[moderator, owner] = [await signUp(site), await signUp(site)]
  await updateRole(site.db, moderator.user._id, 'moderator')
})

const list = async ({ client }: { client: TestClient }) =>
  (await client.call(listNotifications, { query: {} })).items.filter(({ kind }) => kind === 'to_decide')
const unread = async ({ client }: { client: TestClient }) =>
  (await client.call(countUnreadNotifications, {})).unread
const report = async (by: { client: TestClient }) => {
  const subjectId = await addVideo(site, owner.user._id)
  await by.client.call(createReport, { body: { kind: 'video', subjectId, reason: 'spam' } })
}
const sentAt = async () =>
  (
    await sql<{ createdAt: Date }>`select created_at from notifications where kind = 'to_decide'`.execute(
      site.db,
    )
  ).rows

test('everything that waits is one notification of each moderator, which is gone once all is decided', async () => {
  const [member, administrator] = [await signUp(site), await signUp(site)]
  await updateRole(site.db, administrator.user._id, 'administrator')
  await report(member)
  expect(await list(moderator)).toMatchObject([
    { kind: 'to_decide', actorsCount: 1, actor: null, isRead: false },
  ])
  await changeSettings(site.context, null, { holdFirstComments: true, registration: 'approval' })
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await member.client.call(addComment, { body: { videoId, content: 'Hello' } })
  const form = await registrationForm()
  expect((await site.client().post('/api/v1/users/register', form)).status).toBe(201)
  const all = { reports: 1, comments: 1, accounts: 1, videos: 0 }
  for (const { client } of [moderator, administrator]) {
    expect(await client.call(countToDecide, {})).toEqual(all)
    expect(await list({ client })).toMatchObject([{ actorsCount: 3 }])
    expect(await unread({ client })).toBe(1)
  }
  expect(await list(member)).toEqual([])

  const { reports } = await moderator.client.call(listReports, { query: {} })
  const params = { reportId: reports[0]?._id ?? '' }
  await moderator.client.call(decideReport, { params, body: { decision: 'dismiss', note: '' } })
  await moderator.client.call(approveAnyComments, { body: { ids: [commentId] } })
  const username = String(form.get('username'))
  await moderator.client.call(changeSuspension, { params: { username }, body: { isSuspended: false } })
  for (const each of [moderator, administrator]) {
    expect(await list(each)).toEqual([])
    expect(await unread(each)).toBe(0)
  }
})

test('a flood of reports is sent once an hour, and counts as unread again', async () => {
  const member = await signUp(site)
  await report(member)
  const [first] = await sentAt()
  await moderator.client.call(readAllNotifications, {})
  for (let count = 0; count < 5; count++) await report(member)
  expect(await unread(moderator)).toBe(1)
  expect(await list(moderator)).toMatchObject([{ actorsCount: 6, isRead: false }])
  expect(await sentAt()).toEqual([first])

  await sql`update notifications set created_at = now() - interval '2 hours'`.execute(site.db)
  await report(member)
  const [again, ...others] = await sentAt()
  expect(again?.createdAt.getTime()).toBeGreaterThanOrEqual(first?.createdAt.getTime() ?? Infinity)
  expect(others).toEqual([])
})

test('notifies neither the moderator who reports, nor those who switched the kind off, nor former ones', async () => {
  const { kinds } = await moderator.client.call(getNotificationSettings, {})
  expect(kinds).toContain('to_decide')
  expect((await owner.client.call(getNotificationSettings, {})).kinds).not.toContain('to_decide')
  await report(moderator)
  expect(await sentAt()).toEqual([])
  await moderator.client.call(putNotificationSettings, { body: { muted: ['to_decide'] } })
  const member = await signUp(site)
  await report(member)
  expect(await sentAt()).toEqual([])
  await moderator.client.call(putNotificationSettings, { body: { muted: [] } })
  await report(member)
  expect(await unread(moderator)).toBe(1)
  await updateRole(site.db, moderator.user._id, 'member')
  expect(await list(moderator)).toEqual([])
  expect(await unread(moderator)).toBe(0)
})
