import { notificationKinds, reportKinds } from '@kinora/contract/constants.ts'
import { getEmailState, requestEmailConfirmation } from '@kinora/contract/accounts/emails.ts'
import {
  getNotificationMails,
  type NotificationMails,
  putNotificationMails,
} from '@kinora/contract/messages/notification-mails.ts'
import type { NotificationKind } from '@kinora/contract/messages/notifications.ts'
import { putLanguage } from '@kinora/contract/accounts/users.ts'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createMailbox, type TestMailbox } from '../../../testing/fixtures/test-mailbox.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { deleteAccount } from '../../portability/account-deletion/actions.ts'
import { putConfirmed } from '../../accounts/emails/queries.ts'
import { kindsOf } from '../notifications/rules.ts'
import { notifyProcessingEnded } from '../notifications/queries/videos.ts'
import { putSubscriberNotification } from '../notifications/queries/subscribers.ts'
import { replaceKinds } from '../notifications/queries/chosen-kinds.ts'
import { putSettings } from '../../operations/site/queries.ts'
import { queueDailyMails, queueImmediateMails, sendNotificationMail } from './jobs.ts'

let mailbox: TestMailbox
let site: TestApp

beforeAll(async () => {
  mailbox = await createMailbox()
  site = await createTestApp({ worker: true, settings: mailbox.settings })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(async () => {
  mailbox.mails.length = 0
  mailbox.attempts = 0
  await site.db.deleteFrom('mailFrequencies').execute()
})

/** Others are for moderators while something waits. */
const ofMembers = kindsOf('member')

const all: NotificationMails = { frequency: 'immediate', hour: 7, kinds: [...notificationKinds] }

/** Somebody with a confirmed address who gets notifications by mail, and a channel with a video. */
async function mailed(choice: Partial<NotificationMails> = {}) {
  const { client, user } = await signUp(site)
  const channel = await signUp(site)
  const videoId = await addVideo(site, channel.user._id, { title: 'Harbour' })
  await putConfirmed(site.db, { userId: user._id, email: user.email, now: site.clock.now() })
  await client.call(putNotificationMails, { body: { ...all, ...choice } })
  return { client, user, channel: channel.user, videoId }
}

const notify = async (
  userId: string,
  fields: { kind?: NotificationKind; videoId?: string; actorId?: string; reportId?: number },
) =>
  (
    await site.db
      .insertInto('notifications')
      .values({ userId, kind: 'video', ...fields })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

const queue = async (job: typeof queueImmediateMails | typeof queueDailyMails, times = 1) => {
  await Promise.all(
    Array.from({ length: times }, () => job.handle({}, site.context, new AbortController().signal)),
  )
}

/** Waits until no mail waits to be sent. */
const isIdle = () =>
  expect
    .poll(
      async () => {
        const mails = (await site.context.jobs.summarize()).find(
          ({ name }) => name === sendNotificationMail.name,
        )
        return mails && [mails.waiting, mails.later, mails.running]
      },
      { timeout: 30_000 },
    )
    .toEqual([0, 0, 0])

/** Sends what is due now; returns the subjects, sorted. */
async function send(job = queueImmediateMails, workers = 1): Promise<string[]> {
  await queue(job, workers)
  await isIdle()
  return mailbox.mails.map(({ subject = '' }) => subject).toSorted()
}

const header = (key: string) => mailbox.mails.at(-1)?.headers.find((each) => each.key === key)?.value ?? ''

/** Path and query of the link that ends the mails of the last one. */
const unsubscribePath = () => {
  const { pathname, search } = new URL(header('list-unsubscribe').slice(1, -1))
  return pathname + search
}

test('stops after the third refusal of an address, until a mail arrives', async () => {
  const { client, user, channel } = await mailed()
  const { client: other } = await signUp(site)
  const attempt = async (refusal?: number | string) => {
    if (refusal !== undefined) mailbox.refusals.push(refusal)
    const videoId = await addVideo(site, channel._id, { title: 'Pier' })
    await notify(user._id, { videoId, actorId: channel._id })
    await send()
    return (await client.call(getEmailState, {})).isRejected
  }
  // the mail that is repeated after 451 arrives, which ends the count; 5.7.1 is about the server that sends
  for (const refusal of [550, 451, 550, '550 5.7.1 blocked']) expect(await attempt(refusal)).toBe(false)
  mailbox.refusesSenders = true
  expect(await attempt()).toBe(false)
  mailbox.refusesSenders = false
  expect(await attempt(550)).toBe(false)
  expect(await attempt(550)).toBe(true)
  mailbox.attempts = 0
  expect(await attempt()).toBe(true)
  expect(mailbox.attempts).toBe(0)
  expect((await other.call(getEmailState, {})).isRejected).toBe(false)
  await client.call(requestEmailConfirmation, {})
  await expect
    .poll(async () => (await client.call(getEmailState, {})).isRejected, { timeout: 30_000 })
    .toBe(false)
  mailbox.mails.length = 0
  await attempt()
  expect(mailbox.mails).toHaveLength(1)
})

test('mails each kind, to the confirmed address', async () => {
  const { user, channel, videoId } = await mailed()
  for (const kind of ofMembers) await notify(user._id, { kind, videoId, actorId: channel._id })
  const name = channel.username
  expect(await send()).toEqual(
    [
      `${name} published Harbour`,
      `${name} commented on Harbour`,
      `${name} replied to you on Harbour`,
      `${name} mentioned you on Harbour`,
      `${name} subscribed to your channel`,
      'Moderators decided about the subject that you reported',
      'Moderators decided about your account',
      'Somebody signed in to your account with a new device',
      'A webhook of yours is paused after many failures',
      `${channel.username} invites you to work on their channel`,
      `${channel.username} offers you videos for your channel`,
      'Harbour is ready',
      'The premiere of Harbour begins',
      'Harbour did not start, so its announcement expired. Choose another time.',
    ].toSorted(),
  )
  expect(new Set(mailbox.mails.flatMap(({ recipients }) => recipients))).toEqual(new Set([user.email]))
  expect(await send()).toHaveLength(ofMembers.length)
})

test('mails name the kind of what moderators decided about', async () => {
  const { user, channel } = await mailed()
  for (const subject of reportKinds)
    for (const kind of ['report', 'moderation'] as const) {
      const { id: reportId } = await site.db
        .insertInto('reports')
        .values({ kind: subject, subjectId: 'mailed', ownerId: channel._id, title: '', decision: 'remove' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await notify(user._id, { kind, reportId })
    }
  const expected = reportKinds.flatMap((kind) => [
    `Moderators decided about the ${kind} that you reported`,
    `Moderators decided about your ${kind}`,
  ])
  expect(await send()).toEqual(expected.toSorted())
})

test('mails only chosen kinds, and nothing by default', async () => {
  const { client, user } = await signUp(site)
  expect(await client.call(getNotificationMails, {})).toEqual({ frequency: 'off', hour: 7, kinds: [] })
  await putConfirmed(site.db, { userId: user._id, email: user.email, now: site.clock.now() })
  await notify(user._id, { kind: 'sign_in' })
  const chosen = await mailed({ kinds: ['moderation'] })
  await notify(chosen.user._id, { kind: 'sign_in' })
  await notify(chosen.user._id, { kind: 'moderation' })
  expect(await send()).toEqual(['Moderators decided about your account'])
})

test('mails nothing to an address that is not confirmed, now or after it is', async () => {
  const { user } = await mailed()
  await site.db
    .updateTable('users')
    .set({ email: `new-${user.email}` })
    .where('id', '=', user._id)
    .execute()
  await notify(user._id, { kind: 'sign_in' })
  expect(await send()).toEqual([])
  await putConfirmed(site.db, { userId: user._id, email: `new-${user.email}`, now: site.clock.now() })
  expect(await send()).toEqual([])
})

test('sends one mail at the chosen hour with what is unread, once', async () => {
  const hour = site.clock.now().getUTCHours()
  const { user, channel, videoId } = await mailed({ frequency: 'daily', hour })
  const later = await mailed({ frequency: 'daily', hour: (hour + 1) % 24 })
  await notify(later.user._id, { kind: 'sign_in' })
  await notify(user._id, { videoId })
  await notify(user._id, { kind: 'subscriber', actorId: channel._id })
  expect(await send(queueImmediateMails)).toEqual([])
  expect(await send(queueDailyMails)).toEqual(['Your day on Kinora'])
  const [mail] = mailbox.mails
  expect(mail?.recipients).toEqual([user.email])
  for (const text of [mail?.text, mail?.html]) {
    expect(text).toContain(`${channel.username} published Harbour`)
    expect(text).toContain(`https://video.example.org/video/${videoId}`)
    expect(text).toContain(`${channel.username} subscribed to your channel`)
  }
  expect(await send(queueDailyMails)).toHaveLength(1)
})

test.each([
  ['a form', () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
  [
    'multipart',
    () => {
      const form = new FormData()
      form.set('List-Unsubscribe', 'One-Click')
      return form
    },
  ],
])('one click ends the mails of a kind without a session: %s', async (_, body) => {
  const { client, user } = await mailed({ kinds: ['sign_in', 'moderation'] })
  await notify(user._id, { kind: 'sign_in' })
  await send()
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(mailbox.mails[0]?.text).toContain(unsubscribePath())
  for (const _time of [1, 2]) expect((await site.client().post(unsubscribePath(), body())).status).toBe(200)
  expect(await client.call(getNotificationMails, {})).toMatchObject({ kinds: ['moderation'] })
  await notify(user._id, { kind: 'sign_in' })
  expect(await send()).toHaveLength(1)
})

test('the page with a button ends the daily mail, which discards what waits', async () => {
  const hour = site.clock.now().getUTCHours()
  const { client, user } = await mailed({ frequency: 'daily', hour })
  await notify(user._id, { kind: 'sign_in' })
  await send(queueDailyMails)
  await notify(user._id, { kind: 'sign_in' })
  const token = new URLSearchParams(unsubscribePath().split('?')[1]).get('token')
  const page = await site.client().get(unsubscribePath())
  expect(page.status).toBe(200)
  expect(await client.call(getNotificationMails, {})).toMatchObject({ frequency: 'daily' })
  expect((await site.client().post('/api/v1/notifications/mails/unsubscribe', { token })).status).toBe(200)
  expect(await client.call(getNotificationMails, {})).toMatchObject({ frequency: 'off' })
  expect(await send(queueDailyMails)).toHaveLength(1)
})

test('a link for somebody else or another kind is refused', async () => {
  const { client, user } = await mailed()
  await notify(user._id, { kind: 'sign_in' })
  await send()
  const path = unsubscribePath()
  const other = await signUp(site)
  const forged = [
    path.replace(user._id, other.user._id),
    path.replace('sign_in', 'daily'),
    path.replace(/\.[^.]+$/, '.abc'),
    path.replace(/\.[^.]+$/, ''),
    '/unsubscribe?token=',
    '/unsubscribe',
    `${path}&token=abc`,
  ]
  for (const each of forged) expect((await site.client().post(each)).status, each).toBe(400)
  expect(await client.call(getNotificationMails, {})).toMatchObject({
    frequency: 'immediate',
    kinds: notificationKinds.toSorted(),
  })
})

test.each<[string, (user: string, videoId: string, channelId: string) => Promise<unknown>]>([
  [
    'private',
    (_, id) => site.db.updateTable('videos').set({ visibility: 'private' }).where('id', '=', id).execute(),
  ],
  [
    'taken down',
    (_, id) => site.db.updateTable('videos').set({ takedownReason: 'spam' }).where('id', '=', id).execute(),
  ],
  ['deleted', (_, id) => site.db.deleteFrom('videos').where('id', '=', id).execute()],
  [
    'read',
    (user) => site.db.updateTable('notifications').set({ isRead: true }).where('userId', '=', user).execute(),
  ],
  [
    'of a muted person',
    (user, _, personId) =>
      site.db.insertInto('mutedPeople').values({ userId: user, personId, isBlocked: false }).execute(),
  ],
  [
    'of a kind that is off on the site',
    (user) => replaceKinds(site.db, 'mutedNotifications', user, ['video']),
  ],
  [
    'of a kind that is not mailed any more',
    (user) => site.db.deleteFrom('mailedNotifications').where('userId', '=', user).execute(),
  ],
  [
    'of a suspended account',
    (user) => site.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', user).execute(),
  ],
  [
    'of last week',
    (user) =>
      site.db
        .updateTable('notifications')
        .set({ createdAt: new Date(site.clock.now().getTime() - 7 * 24 * 3600 * 1000) })
        .where('userId', '=', user)
        .execute(),
  ],
])('does not mail what is meanwhile %s', async (_, change) => {
  const hour = site.clock.now().getUTCHours()
  const people = [await mailed(), await mailed({ frequency: 'daily', hour })]
  for (const { user, channel, videoId } of people) {
    await notify(user._id, { videoId, actorId: channel._id })
    await change(user._id, videoId, channel._id)
  }
  expect(await send()).toEqual([])
  expect(await send(queueDailyMails)).toEqual([])
})

test('two workers send a mail once', async () => {
  const hour = site.clock.now().getUTCHours()
  const people = [await mailed(), await mailed({ frequency: 'daily', hour })]
  for (const { user } of people) await notify(user._id, { kind: 'sign_in' })
  await send(queueImmediateMails, 3)
  expect(await send(queueDailyMails, 3)).toHaveLength(2)
})

test('repeats what the mail server refuses for now', async () => {
  const { user } = await mailed()
  await notify(user._id, { kind: 'sign_in' })
  mailbox.refusals.push(451)
  expect(await send()).toHaveLength(1)
  expect(mailbox.attempts).toBe(2)
})

test('a mail that a killed worker had sent is sent again, with the same id', async () => {
  const { user } = await mailed()
  const notificationId = await notify(user._id, { kind: 'sign_in' })
  const attempt = () =>
    sendNotificationMail.handle(
      { userId: user._id, notificationId },
      site.context,
      new AbortController().signal,
    )
  await attempt()
  await attempt()
  const ids = mailbox.mails.map(({ messageId }) => messageId)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  expect(ids[0]).toMatch(/^<sign_in\.\d+\.\d+@video\.example\.org>$/)
})

test('mails the end of processing again, and new subscribers once until they are read', async () => {
  const { user } = await mailed()
  const videoId = await addVideo(site, user._id, { title: 'Own', processingState: 'failed' })
  const first = await signUp(site)
  const second = await signUp(site)
  await putSubscriberNotification(site.db, user._id, first.user._id)
  await notifyProcessingEnded(site.db, videoId)
  await send()
  await site.db.updateTable('videos').set({ processingState: 'ready' }).where('id', '=', videoId).execute()
  await putSubscriberNotification(site.db, user._id, second.user._id)
  await notifyProcessingEnded(site.db, videoId)
  expect(await send()).toEqual(
    [
      'Own could not be processed completely',
      'Own is ready',
      `${first.user.username} subscribed to your channel`,
    ].toSorted(),
  )
})

test('another frequency discards what waits', async () => {
  const { client, user } = await mailed({ frequency: 'daily' })
  await notify(user._id, { kind: 'sign_in' })
  await client.call(putNotificationMails, { body: all })
  expect(await send()).toEqual([])
})

test('nothing is left of a deleted account', async () => {
  const { user } = await mailed()
  await notify(user._id, { kind: 'sign_in' })
  await deleteAccount(site.context, user._id)
  for (const table of ['mailFrequencies', 'mailedNotifications', 'notificationMails'] as const) {
    const rows = await site.db.selectFrom(table).select('userId').where('userId', '=', user._id).execute()
    expect(rows, table).toEqual([])
  }
  expect(await send()).toEqual([])
})

test('mails are in the language that the account has chosen', async () => {
  const hour = site.clock.now().getUTCHours()
  const { client, user, channel, videoId } = await mailed({ frequency: 'daily', hour })
  await client.call(putLanguage, { body: { language: 'ja' } })
  await notify(user._id, { videoId, actorId: channel._id })
  expect(await send(queueDailyMails)).toEqual(['Kinoraの今日のまとめ'])
  for (const text of [mailbox.mails[0]?.text, mailbox.mails[0]?.html]) {
    expect(text).toContain(`${channel.username}さんがHarbourを公開しました`)
    expect(text).toContain('毎日のメールを停止する')
  }
})

test('mails show the logo of the site', async () => {
  const { user } = await mailed()
  await notify(user._id, { kind: 'sign_in' })
  await putSettings(site.db, { siteLogo: '/media/pictures/logo/96.webp' })
  onTestFinished(() => putSettings(site.db, { siteLogo: null }))
  await send()
  expect(mailbox.mails[0]?.html).toContain('<img src="https://video.example.org/media/pictures/logo/96.jpg"')
})
