import {
  changeTakedown,
  deleteAnyClips,
  deleteAnyComments,
  listAllComments,
  restoreAnyComments,
} from '@kinora/contract/operations/moderation.ts'
import { listAuditLog, maxListed } from '@kinora/contract/operations/administration.ts'
import type { ReportKind } from '@kinora/contract/constants.ts'
import { addComment, listComments } from '@kinora/contract/conversation/comments.ts'
import { listNotifications, putNotificationSettings } from '@kinora/contract/messages/notifications.ts'
import * as contract from '@kinora/contract/operations/reports.ts'
import { getOwnVideo } from '@kinora/contract/videos/studio.ts'
import { createClip, deleteClip, getClip } from '@kinora/contract/watching/clips.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withLongStatements } from '@kinora/platform/db/pool.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { untilWaitingForLock } from '../../../testing/waiting-for-lock.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { putOpenReport } from './queries.ts'

type Person = Awaited<ReturnType<typeof signUp>>
type Decision = 'dismiss' | 'remove' | null

let site: TestApp
let moderator: Person

beforeAll(async () => {
  site = await createTestApp()
  moderator = await signUp(site)
  await updateRole(site.db, moderator.user._id, 'administrator')
})
afterAll(() => site.close())

const report = (by: Person, kind: ReportKind, subjectId: string, text = '') =>
  by.client.call(contract.createReport, { body: { kind, subjectId, reason: 'spam', text } })

/** The open report about a subject. */
async function find(subjectId: string) {
  const { reports } = await moderator.client.call(contract.listReports, { query: { limit: 100 } })
  const found = reports.find((each) => each.subjectId === subjectId)
  if (!found) throw new Error(`There is no open report about ${subjectId}`)
  return found
}

const decide = (reportId: string, decision: Decision, note = '', hidesContent = false) =>
  moderator.client.call(contract.decideReport, {
    params: { reportId },
    body: { decision, note, hidesContent },
  })

const notificationsOf = async ({ client }: Person) =>
  (await client.call(listNotifications, { query: {} })).items.filter(({ report: about }) => about)

const statusForVisitors = async (id: string) => (await site.client().get(`/api/v1/video/${id}`)).status

test('reports of one video are one entry of the queue, and each person counts once', async () => {
  const [owner, first, second] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id, { title: 'Contested' })
  expect(await report(first, 'video', videoId, 'Stolen')).toEqual({ isNew: true })
  expect(await report(first, 'video', videoId, 'Stolen!')).toEqual({ isNew: false })
  expect(await report(second, 'video', videoId)).toEqual({ isNew: true })
  expect(await find(videoId)).toMatchObject({
    kind: 'video',
    title: 'Contested',
    isGone: false,
    owner: { username: owner.user.username, removals: 0 },
    entries: [{ reporter: first.user.username, text: 'Stolen' }, { reporter: second.user.username }],
    entriesCount: 2,
    decision: null,
  })
  expect(await notificationsOf(owner)).toEqual([])
})

test('nobody reports what is their own or what they may not see', async () => {
  const [owner, other] = [await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id)
  await expect(report(owner, 'video', videoId)).rejects.toMatchObject({ status: 400 })
  await expect(report(owner, 'channel', owner.user._id)).rejects.toMatchObject({ status: 400 })
  await site.db.updateTable('videos').set({ visibility: 'private' }).where('id', '=', videoId).execute()
  await expect(report(other, 'video', videoId)).rejects.toMatchObject({ status: 404 })
  await expect(report(other, 'comment', 'none')).rejects.toMatchObject({ status: 404 })
})

test('a removed video is hidden, the reporter hears of it, and its owner reads why and answers once', async () => {
  const [owner, reporter] = [await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id, { title: 'Borrowed music' })
  await report(reporter, 'video', videoId)
  const { _id: reportId } = await find(videoId)
  const params = { reportId }
  await expect(decide(reportId, 'remove')).rejects.toMatchObject({ status: 400 })
  await expect(owner.client.call(contract.getReport, { params })).rejects.toMatchObject({ status: 404 })

  await decide(reportId, 'remove', 'The music is not yours')
  expect(await statusForVisitors(videoId)).toBe(404)
  expect(await notificationsOf(reporter)).toMatchObject([
    { kind: 'report', report: { decision: 'remove', kind: 'video' } },
  ])
  expect(await notificationsOf(owner)).toMatchObject([
    { kind: 'moderation', report: { title: 'Borrowed music', note: 'The music is not yours' } },
  ])
  expect(await owner.client.call(getOwnVideo, { params: { id: videoId } })).toMatchObject({
    processing: { state: 'taken_down', reason: 'The music is not yours' },
    takedownReportId: reportId,
  })
  const answer = (by: Person) =>
    by.client.call(contract.answerDecision, { params, body: { text: 'I have a licence' } })
  await expect(answer(reporter)).rejects.toMatchObject({ status: 403 })
  site.clock.advance(1000)
  expect(await answer(owner)).toMatchObject({ isConcerned: true, answer: 'I have a licence' })
  await expect(answer(owner)).rejects.toMatchObject({ status: 409 })
  expect(await reporter.client.call(contract.getReport, { params })).toMatchObject({ answer: null })

  const answered = async () =>
    (await moderator.client.call(contract.listReports, { query: { show: 'answered' } })).reports.map(
      ({ _id }) => _id,
    )
  expect(await answered()).toContain(reportId)
  site.clock.advance(1000)
  await decide(reportId, 'dismiss', 'You are right')
  expect(await answered()).not.toContain(reportId)
  expect(await statusForVisitors(videoId)).toBe(200)
  expect(await notificationsOf(owner)).toMatchObject([
    { isRead: false, report: { decision: 'dismiss', note: 'You are right' } },
  ])
})

test('a decision that is taken back leaves neither effect nor notification', async () => {
  const [owner, author, reporter] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await author.client.call(addComment, {
    body: { videoId, content: 'Cheap watches' },
  })
  const shown = async () => (await site.client().call(listComments, { params: { videoId } })).items.length
  await report(reporter, 'comment', commentId)
  const { _id: reportId } = await find(commentId)
  expect(await decide(reportId, 'remove', 'No advertising')).toMatchObject({
    isGone: true,
    decidedBy: moderator.user.username,
  })
  expect(await shown()).toBe(0)
  expect(await decide(reportId, null)).toMatchObject({ isGone: false, decision: null, decidedBy: null })
  expect(await shown()).toBe(1)
  expect([await notificationsOf(author), await notificationsOf(reporter)]).toEqual([[], []])
  expect((await find(commentId))._id).toBe(reportId)
  const { entries } = await moderator.client.call(listAuditLog, { query: { text: commentId } })
  expect(entries.map(({ action }) => action)).toEqual(['reopen_report', 'restore_comment', 'delete_comment'])
})

test('a reported clip is removed for good, and its maker reads why and answers once', async () => {
  const [owner, maker, reporter] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id, { durationSeconds: 60 })
  const make = async () => {
    const body = { videoId, title: 'What a fool', startSeconds: 1, endSeconds: 5 }
    return (await maker.client.call(createClip, { body }))._id
  }
  const [clipId, keptId, ownId] = [await make(), await make(), await make()]
  await expect(report(maker, 'clip', clipId)).rejects.toMatchObject({ status: 400, reason: 'own_clip' })
  await expect(report(reporter, 'clip', 'none')).rejects.toMatchObject({ reason: 'clip_not_found' })
  for (const id of [clipId, keptId, ownId])
    expect(await report(reporter, 'clip', id)).toEqual({ isNew: true })
  const { _id: reportId } = await find(clipId)
  expect(await find(clipId)).toMatchObject({
    kind: 'clip',
    videoId,
    title: 'What a fool',
    isGone: false,
    isDeleted: false,
    owner: { username: maker.user.username },
  })
  await decide((await find(keptId))._id, 'dismiss')
  expect(await site.client().call(getClip, { params: { clipId: keptId } })).toMatchObject({ _id: keptId })

  expect(await decide(reportId, 'remove', 'Be kind')).toMatchObject({ isGone: true, isDeleted: true })
  const gone = { reason: 'clip_not_found' }
  await expect(site.client().call(getClip, { params: { clipId } })).rejects.toMatchObject(gone)
  expect(await notificationsOf(maker)).toMatchObject([{ report: { kind: 'clip', note: 'Be kind' } }])
  const params = { reportId }
  await maker.client.call(contract.answerDecision, { params, body: { text: 'It was a joke' } })
  expect(await decide(reportId, 'remove', 'No joke')).toMatchObject({ note: 'No joke', isDeleted: true })
  for (const decision of ['dismiss', null] as const)
    await expect(decide(reportId, decision)).rejects.toMatchObject({ reason: 'deleted_clip_stays' })
  const { entries } = await moderator.client.call(listAuditLog, { query: { text: clipId } })
  expect(entries.map(({ action }) => action)).toEqual(['uphold_removal', 'delete_clip'])

  // its maker was faster
  const { _id: lateId } = await find(ownId)
  await maker.client.call(deleteClip, { params: { clipId: ownId } })
  await expect(decide(lateId, 'remove', 'Late')).rejects.toMatchObject({ reason: 'deleted_clip' })
  await decide(lateId, 'dismiss')
})

async function makeClip(maker: Person, videoId: string): Promise<string> {
  const body = { videoId, title: 'What a fool', startSeconds: 1, endSeconds: 5 }
  return (await maker.client.call(createClip, { body }))._id
}

test('removing clips elsewhere decides the reports about them, and with a reason notifies every maker', async () => {
  const [owner, maker, reporter] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id, { durationSeconds: 60 })
  const [reported, unreported, silent] = [
    await makeClip(maker, videoId),
    await makeClip(maker, videoId),
    await makeClip(maker, videoId),
  ]
  await report(reporter, 'clip', reported)
  const { _id: reportId } = await find(reported)
  await moderator.client.call(deleteAnyClips, { body: { ids: [silent] } })
  expect(await notificationsOf(maker)).toEqual([])
  const body = { ids: [reported, unreported, 'none'], reason: 'Be kind' }
  expect(await moderator.client.call(deleteAnyClips, { body })).toEqual({
    ids: expect.toSatisfy(
      (ids: string[]) => ids.toSorted().join() === [reported, unreported].toSorted().join(),
    ),
  })
  await expect(find(reported)).rejects.toThrow('no open report')
  const params = { reportId }
  expect(await reporter.client.call(contract.getReport, { params })).toMatchObject({ decision: 'remove' })
  expect(await notificationsOf(reporter)).toMatchObject([{ kind: 'report', report: { decision: 'remove' } }])
  const removal = { kind: 'moderation', report: { kind: 'clip', title: 'What a fool', note: 'Be kind' } }
  expect(await notificationsOf(maker)).toMatchObject([removal, removal])
  await maker.client.call(contract.answerDecision, { params, body: { text: 'It was a joke' } })
  const another = await makeClip(maker, videoId)
  await report(reporter, 'clip', another)
  expect(await find(another)).toMatchObject({ owner: { removals: 2 } })
})

test('a clip that its maker deletes during a decision was not removed by moderators', async () => {
  const [owner, maker, reporter] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id, { durationSeconds: 60 })
  const clipId = await makeClip(maker, videoId)
  await report(reporter, 'clip', clipId)
  const { _id: reportId } = await find(clipId)
  const settled = await site.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('clips').where('id', '=', clipId).execute()
    const removal = decide(reportId, 'remove', 'Be kind')
    await untilWaitingForLock(site, 'delete from clips')
    return [removal.catch((error: unknown) => error)]
  })
  expect(await settled[0]).toMatchObject({ reason: 'deleted_clip' })
  expect(await find(clipId)).toMatchObject({ decision: null, isDeleted: true })
  await decide(reportId, 'dismiss')
  expect(await notificationsOf(reporter)).toMatchObject([{ kind: 'report', report: { decision: 'dismiss' } }])
  expect(await notificationsOf(maker)).toEqual([])
})

test('a report of a clip names its video only while the moderator may see the clip', async () => {
  const [owner, maker, reporter] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id, { durationSeconds: 60 })
  const clipId = await makeClip(maker, videoId)
  await report(reporter, 'clip', clipId)
  expect(await find(clipId)).toMatchObject({ videoId, isGone: false })
  await site.db.updateTable('videos').set({ visibility: 'private' }).where('id', '=', videoId).execute()
  expect(await find(clipId)).toMatchObject({ videoId: null, isGone: false })
})

test('a decision is not taken back once the subject is reported again', async () => {
  const [owner, first, second] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id)
  await report(first, 'video', videoId)
  const { _id: reportId } = await find(videoId)
  await decide(reportId, 'dismiss')
  expect(await notificationsOf(owner)).toEqual([])
  await report(second, 'video', videoId)
  expect((await find(videoId))._id).not.toBe(reportId)
  await expect(decide(reportId, null)).rejects.toMatchObject({ status: 409 })
})

test('of concurrent decisions one wins, and the video is in the state that it names', async () => {
  const [owner, reporter] = [await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id)
  await report(reporter, 'video', videoId)
  const { _id: reportId } = await find(videoId)
  const decisions = await site.db.transaction().execute(async (transaction) => {
    // Both decisions read the report before one of them is stored.
    await transaction
      .selectFrom('reports')
      .select('id')
      .where('id', '=', Number(reportId))
      .forUpdate()
      .execute()
    const both = [decide(reportId, 'remove', 'Stolen'), decide(reportId, 'dismiss')]
    await untilWaitingForLock(site, '"reports"', 2)
    return [Promise.allSettled(both)]
  })
  const [settled = []] = await Promise.all(decisions)
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const { reports } = await moderator.client.call(contract.listReports, { query: { show: 'decided' } })
  const decision = reports.find(({ _id }) => _id === reportId)?.decision
  expect(await statusForVisitors(videoId)).toBe(decision === 'remove' ? 404 : 200)
})

test('removing a channel suspends its account', async () => {
  const [person, reporter] = [await signUp(site), await signUp(site)]
  await report(reporter, 'channel', person.user._id)
  const { _id: reportId } = await find(person.user._id)
  await decide(reportId, 'remove', 'Only advertising')
  expect((await person.client.get('/api/v1/users/currentuser')).status).toBe(401)
  await decide(reportId, null)
})

test('removing a channel hides its videos where that is chosen, and taking it back shows them', async () => {
  const [person, reporter] = [await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, person.user._id)
  await report(reporter, 'channel', person.user._id)
  const { _id: reportId } = await find(person.user._id)
  const statusAfter = async (...decision: Parameters<typeof decide>) => {
    await decide(...decision)
    return statusForVisitors(videoId)
  }
  expect(await statusAfter(reportId, 'remove', 'Only advertising')).toBe(200)
  expect(await statusAfter(reportId, null)).toBe(200)
  expect(await statusAfter(reportId, 'remove', 'Only advertising', true)).toBe(404)
  expect(await statusAfter(reportId, null)).toBe(200)
})

test('a suspended person reads why at the login and answers once, with the right password', async () => {
  const [person, reporter] = [await signUp(site), await signUp(site)]
  await report(reporter, 'channel', person.user._id)
  const { _id: reportId } = await find(person.user._id)
  await decide(reportId, 'remove', 'Only advertising')
  const { email } = person.user
  const visitor = site.client()
  const refused = await visitor.post('/api/v1/users/login', { email, password: testPassword })
  expect(refused).toMatchObject({
    status: 403,
    body: { errors: [{ path: 'suspension', message: 'Only advertising' }] },
  })
  const answer = (password: string) =>
    visitor.call(contract.answerSuspension, { body: { email, password, text: 'It is my own shop' } })
  await expect(answer('wrong password')).rejects.toMatchObject({ status: 401 })
  await answer(testPassword)
  await expect(answer(testPassword)).rejects.toMatchObject({ status: 409 })
  expect(await visitor.post('/api/v1/users/login', { email, password: testPassword })).toMatchObject({
    status: 403,
    body: { errors: [] },
  })
  const { reports } = await moderator.client.call(contract.listReports, { query: { show: 'decided' } })
  expect(reports.find(({ _id }) => _id === reportId)).toMatchObject({ answer: 'It is my own shop' })
})

test('a second removal replaces the reason, and the audit log has both', async () => {
  const [owner, reporter] = [await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id)
  await report(reporter, 'video', videoId)
  await report(reporter, 'channel', owner.user._id)
  const reasons = async (subjectId: string, logged: string) => {
    const { _id: reportId } = await find(subjectId)
    await decide(reportId, 'remove', 'Stolen')
    await decide(reportId, 'remove', 'Not licensed')
    const { entries } = await moderator.client.call(listAuditLog, { query: { text: logged } })
    return entries.map(({ action, details }) => [action, details])
  }
  expect(await reasons(videoId, videoId)).toEqual([
    ['take_down', 'Not licensed'],
    ['take_down', 'Stolen'],
  ])
  const { takedownReason } = await site.db
    .selectFrom('videos')
    .select('takedownReason')
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
  expect(takedownReason).toBe('Not licensed')
  expect(await reasons(owner.user._id, owner.user._id)).toEqual([['uphold_removal', 'Not licensed']])
})

test('what was deleted for good is neither removed nor put back', async () => {
  const [owner, author, reporter] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await author.client.call(addComment, { body: { videoId, content: 'Buy' } })
  await report(reporter, 'comment', commentId)
  const { _id: reportId } = await find(commentId)
  expect(await decide(reportId, 'remove', 'Spam')).toMatchObject({ isDeleted: false })
  await site.db
    .updateTable('comments')
    .set({ deletedAt: sql`now() - interval '31 days'` })
    .where('id', '=', commentId)
    .execute()
  await expect(decide(reportId, 'dismiss')).rejects.toMatchObject({
    status: 409,
    message: 'This comment was deleted and cannot be put back',
  })
  expect(await notificationsOf(author)).toMatchObject([{ report: { decision: 'remove' } }])
  await report(reporter, 'video', videoId)
  const { _id: aboutVideo } = await find(videoId)
  await site.db.deleteFrom('videos').where('id', '=', videoId).execute()
  expect(await find(videoId)).toMatchObject({ isDeleted: true })
  await expect(decide(aboutVideo, 'remove', 'Stolen')).rejects.toMatchObject({ status: 409 })
  expect(await decide(aboutVideo, 'dismiss')).toMatchObject({ decision: 'dismiss' })
})

test('a report that arrives while a decision is taken back wins', async () => {
  const [owner, reporter] = [await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id)
  await report(reporter, 'video', videoId)
  const { _id: reportId } = await find(videoId)
  await decide(reportId, 'dismiss')
  const [reopened] = await site.db.transaction().execute(async (transaction) => {
    await putOpenReport(transaction, {
      kind: 'video',
      subjectId: videoId,
      ownerId: owner.user._id,
      title: 'Again',
    })
    const reopening = Promise.allSettled([decide(reportId, null)])
    await untilWaitingForLock(site, '"reports"')
    return [reopening]
  })
  expect(await reopened).toMatchObject([{ status: 'rejected', reason: { status: 409 } }])
})

test('moderators neither decide reports about themselves nor read who sent them', async () => {
  const [other, reporter] = [await signUp(site), await signUp(site)]
  await updateRole(site.db, other.user._id, 'moderator')
  await report(reporter, 'channel', other.user._id)
  const { _id: reportId } = await find(other.user._id)
  const own = other.client.call(contract.decideReport, {
    params: { reportId },
    body: { decision: 'dismiss' },
  })
  await expect(own).rejects.toMatchObject({ status: 403 })
  const { reports } = await other.client.call(contract.listReports, { query: { limit: 100 } })
  expect(reports.map(({ _id }) => _id)).not.toContain(reportId)
})

test('who has switched the kind off gets no notification', async () => {
  const [owner, reporter] = [await signUp(site), await signUp(site)]
  await reporter.client.call(putNotificationSettings, { body: { muted: ['report'] } })
  const videoId = await addVideo(site, owner.user._id)
  await report(reporter, 'video', videoId)
  await decide((await find(videoId))._id, 'dismiss')
  expect(await notificationsOf(reporter)).toEqual([])
})

test('a report outlives its subject, but not the account', async () => {
  const [owner, author, reporter] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await author.client.call(addComment, { body: { videoId, content: 'Gone soon' } })
  await report(reporter, 'comment', commentId)
  await author.client.delete(`/api/v1/comment/delete/${videoId}/${commentId}`)
  expect(await find(commentId)).toMatchObject({ isGone: true, title: 'Gone soon' })
  expect((await moderator.client.call(listAllComments, { query: { text: 'Gone soon' } })).comments).toEqual(
    [],
  )
  await site.db.deleteFrom('users').where('id', '=', author.user._id).execute()
  await expect(find(commentId)).rejects.toThrow('no open report')
})

test('a takedown without a report notifies the owner, who answers once, and is notified when the video is back', async () => {
  const owner = await signUp(site)
  const videoId = await addVideo(site, owner.user._id, { title: 'Loud' })
  const put = (reason: string | null) =>
    moderator.client.call(changeTakedown, { params: { id: videoId }, body: { reason } })
  await put('The music is not yours')
  expect(await statusForVisitors(videoId)).toBe(404)
  const [notification] = await notificationsOf(owner)
  const reportId = notification?.report?._id ?? ''
  const read = () => owner.client.call(contract.getReport, { params: { reportId } })
  expect(await read()).toMatchObject({
    kind: 'video',
    title: 'Loud',
    isConcerned: true,
    decision: 'remove',
    note: 'The music is not yours',
  })
  const answer = () =>
    owner.client.call(contract.answerDecision, { params: { reportId }, body: { text: 'I wrote it' } })
  site.clock.advance(1000)
  await answer()
  await expect(answer()).rejects.toMatchObject({ status: 409 })
  const { reports } = await moderator.client.call(contract.listReports, { query: { show: 'answered' } })
  expect(reports.find(({ _id }) => _id === reportId)).toMatchObject({ entriesCount: 0, answer: 'I wrote it' })
  await put(null)
  expect(await statusForVisitors(videoId)).toBe(200)
  expect(await read()).toMatchObject({ decision: 'dismiss' })
  expect(await notificationsOf(owner)).toHaveLength(1)
})

test('comments that a moderator removes with a reason notify their authors, and without one nobody', async () => {
  const author = await signUp(site)
  const videoId = await addVideo(site, moderator.user._id)
  const write = async (by: Person, content: string) =>
    (await by.client.call(addComment, { body: { videoId, content } }))._id
  const [rude, spam, own] = [
    await write(author, 'Rude'),
    await write(author, 'Spam'),
    await write(moderator, 'Mine'),
  ]
  await moderator.client.call(deleteAnyComments, { body: { ids: [spam] } })
  expect(await notificationsOf(author)).toEqual([])
  await moderator.client.call(deleteAnyComments, { body: { ids: [rude, own], reason: 'Be kind' } })
  const [notification] = await notificationsOf(author)
  const reportId = notification?.report?._id ?? ''
  const read = () => author.client.call(contract.getReport, { params: { reportId } })
  expect(await read()).toMatchObject({ kind: 'comment', title: 'Rude', decision: 'remove', note: 'Be kind' })
  expect(await notificationsOf(moderator)).toEqual([])
  await moderator.client.call(restoreAnyComments, { body: { ids: [rude] } })
  expect(await read()).toMatchObject({ decision: 'dismiss' })
})

test('counts at most 100,000 reports of a list', async () => {
  const { user } = await signUp(site)
  await withLongStatements(site.db, (transaction) =>
    sql`insert into reports (kind, subject_id, owner_id, title, decision, decided_at)
      select 'comment', n::text, ${user._id}, '', 'dismiss', now() from generate_series(1, ${maxListed + 1}) n`.execute(
      transaction,
    ),
  )
  const query = { show: 'decided', limit: 1 } as const
  const { reports, total } = await moderator.client.call(contract.listReports, { query })
  expect([reports.length, total]).toEqual([1, maxListed])
})
