import { putLanguage } from '@kinora/contract/accounts/users.ts'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createMailbox, type TestMailbox } from '../../../testing/fixtures/test-mailbox.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { putSettings } from '../../operations/site/queries.ts'
import { sendMail } from './actions/send-mail.ts'

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
beforeEach(() => {
  mailbox.mails.length = 0
  mailbox.attempts = 0
})

const send = (userId: string) => sendMail(site.context, site.db, { kind: 'password_reset', userId })

/** Waits until the queue has nothing to send, now or later. */
const isIdle = () =>
  expect
    .poll(
      async () => {
        const queue = (await site.context.jobs.summarize()).find(({ name }) => name === 'mail.deliver')
        return queue && [queue.waiting, queue.later, queue.running]
      },
      { timeout: 30_000 },
    )
    .toEqual([0, 0, 0])

test('sends plain text and HTML to one recipient', async () => {
  const { user } = await signUp(site, {
    email: 'ada@example.org',
    fullname: 'Visit https://evil.example.org',
  })
  await send(user._id)
  await isIdle()
  const [mail] = mailbox.mails
  expect(mail).toMatchObject({
    recipients: ['ada@example.org'],
    from: { name: 'Our videos', address: 'kinora@example.org' },
    subject: 'Choose a new password for Kinora',
  })
  const link = /https:\/\/video\.example\.org\/reset-password#[\w-]{43}/
  expect(mail?.text).toMatch(link)
  expect(mail?.html).toMatch(link)
  expect(mail?.html).toContain(`<p>Hello ${user.username},</p>`)
  expect(`${mail?.text} ${mail?.html}`).not.toContain('evil')
  expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted' }))
})

test('an address with a comma adds no recipient', async () => {
  const { user } = await signUp(site, { email: 'eve@example.org,victim@example.org' })
  await send(user._id)
  await isIdle()
  expect(mailbox.mails.flatMap(({ recipients }) => recipients)).not.toContain('victim@example.org')
})

test('repeats what the mail server refuses for now', async () => {
  const { user } = await signUp(site)
  mailbox.refusals.push(451)
  await send(user._id)
  await isIdle()
  expect(mailbox.attempts).toBe(2)
  expect(mailbox.mails).toHaveLength(1)
})

test('does not repeat what the mail server refuses for good', async () => {
  const { user } = await signUp(site)
  mailbox.refusals.push(550)
  await send(user._id)
  await isIdle()
  expect(mailbox.attempts).toBe(1)
  expect(mailbox.mails).toEqual([])
})

test('is in the language that the account has chosen, else in that of the site', async () => {
  const { client, user } = await signUp(site)
  const subjectOf = async () => {
    mailbox.mails.length = 0
    await send(user._id)
    await isIdle()
    return mailbox.mails[0]?.subject
  }
  await putSettings(site.db, { siteLanguage: 'fr' })
  onTestFinished(() => putSettings(site.db, { siteLanguage: null }))
  expect(await subjectOf()).toBe('Choisissez un nouveau mot de passe pour Kinora')
  await client.call(putLanguage, { body: { language: 'ar' } })
  expect(await subjectOf()).toBe('اختر كلمة مرور جديدة لموقع Kinora')
  const [mail] = mailbox.mails
  expect(mail?.html).toContain('<div lang="ar" dir="rtl">')
  expect(mail?.text).toContain(`مرحبًا ${user.username}،`)
})
