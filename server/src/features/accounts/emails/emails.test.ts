import {
  confirmEmail,
  getEmailState,
  requestEmailConfirmation,
  updateDetails,
} from '@kinora/contract/accounts/emails.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createMailbox, type TestMailbox } from '../../../testing/fixtures/test-mailbox.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { insertCode } from '../../messages/mail/queries.ts'
import { resetPassword } from '../users/actions/change-password.ts'
import { deleteOldChanges } from './queries.ts'

const users = '/api/v1/users'
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

/** The newest code for an address in a link to a page, once there is a `count`th. */
async function codeFor(
  email: string,
  page: 'confirm-email' | 'keep-email' | 'reset-password',
  count = 1,
): Promise<string> {
  const codes = () =>
    mailbox.mails
      .filter(({ recipients }) => recipients.includes(email))
      .flatMap(({ text = '' }) => new RegExp(`/${page}#([\\w-]+)`).exec(text)?.[1] ?? [])
  await expect.poll(() => codes().length, { timeout: 30_000 }).toBe(count)
  return codes().at(-1) ?? ''
}

const confirm = (code: string) => site.client().post(`${users}/email/confirm`, { code })
const keep = (code: string) => site.client().post(`${users}/email/keep`, { code })
const emailOf = async (userId: string) =>
  (await site.db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()).email

test('confirms the address of an account, once', async () => {
  const { client, user } = await signUp(site)
  expect(await client.call(getEmailState, {})).toEqual({
    email: user.email,
    isConfirmed: false,
    isRejected: false,
    newEmail: null,
  })
  await client.call(requestEmailConfirmation, {})
  const code = await codeFor(user.email, 'confirm-email')
  const statuses = await Promise.all([1, 2].map(async () => (await confirm(code)).status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
  expect(await client.call(getEmailState, {})).toMatchObject({ isConfirmed: true })
})

test('an account keeps its address until the new one is confirmed, which makes links for a new password useless', async () => {
  const { client, user } = await signUp(site)
  await site.client().post(`${users}/forgotpassword`, { email: user.email })
  const reset = await codeFor(user.email, 'reset-password')
  const email = `new-${user.email}`
  expect(await client.call(updateDetails, { body: { email, fullname: 'Ada' } })).toMatchObject({
    email: user.email,
    fullname: 'Ada',
  })
  expect(await client.call(getEmailState, {})).toMatchObject({ email: user.email, newEmail: email })
  await client.call(confirmEmail, { body: { code: await codeFor(email, 'confirm-email') } })
  expect(await client.call(getEmailState, {})).toMatchObject({ email, isConfirmed: true, newEmail: null })
  const body = { code: reset, newPassword: 'of a stranger' }
  expect((await site.client().post(`${users}/resetpassword`, body)).status).toBe(400)
})

test('the previous address undoes a confirmed change, also after another one, and ends every session', async () => {
  const { client, user } = await signUp(site)
  for (const email of [`first-${user.email}`, `second-${user.email}`]) {
    await client.call(updateDetails, { body: { email } })
    await client.call(confirmEmail, { body: { code: await codeFor(email, 'confirm-email') } })
  }
  const code = await codeFor(user.email, 'keep-email')
  expect((await keep(code)).status).toBe(200)
  expect(await emailOf(user._id)).toBe(user.email)
  expect((await client.get(`${users}/currentuser`)).status).toBe(401)
  // of the change from the first to the second address
  expect((await keep(await codeFor(`first-${user.email}`, 'keep-email'))).status).toBe(400)
})

test('the previous address stops a pending change', async () => {
  const { client, user } = await signUp(site)
  const email = `stopped-${user.email}`
  await client.call(updateDetails, { body: { email } })
  const code = await codeFor(email, 'confirm-email')
  expect((await keep(await codeFor(user.email, 'keep-email'))).status).toBe(200)
  expect((await confirm(code)).status).toBe(400)
  expect(await emailOf(user._id)).toBe(user.email)
})

test('a code confirms only the address that it was mailed to', async () => {
  const { client, user } = await signUp(site)
  const [typo, right] = [`typo-${user.email}`, `right-${user.email}`]
  await client.call(updateDetails, { body: { email: typo } })
  const code = await codeFor(typo, 'confirm-email')
  await client.call(updateDetails, { body: { email: right } })
  expect((await confirm(code)).status).toBe(400)
  expect((await confirm(await codeFor(right, 'confirm-email'))).status).toBe(200)
  expect(await emailOf(user._id)).toBe(right)
})

test('an address that somebody else took meanwhile is refused, and the link stays usable', async () => {
  const { client, user } = await signUp(site)
  const email = `wanted-${user.email}`
  await client.call(updateDetails, { body: { email } })
  const code = await codeFor(email, 'confirm-email')
  const other = await signUp(site, { email })
  expect(
    (
      await client.fetch(`${users}/updatedetails`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })
    ).status,
  ).toBe(409)
  expect((await confirm(code)).status).toBe(409)
  await other.client.call(updateDetails, { body: { email: `other-${user.email}` } })
  await other.client.call(confirmEmail, {
    body: { code: await codeFor(`other-${user.email}`, 'confirm-email') },
  })
  expect((await confirm(code)).status).toBe(200)
})

test('nobody registers with a previous address while it can undo the change', async () => {
  const { client, user } = await signUp(site)
  const email = `moved-${user.email}`
  await client.call(updateDetails, { body: { email } })
  await client.call(confirmEmail, { body: { code: await codeFor(email, 'confirm-email') } })
  await expect(signUp(site, { email: user.email })).rejects.toThrow('409')
  expect((await keep(await codeFor(user.email, 'keep-email'))).status).toBe(200)
  expect(await emailOf(user._id)).toBe(user.email)
})

test('previous addresses are deleted after a week, and are free then', async () => {
  const { client, user } = await signUp(site)
  const email = `gone-${user.email}`
  await client.call(updateDetails, { body: { email } })
  await client.call(confirmEmail, { body: { code: await codeFor(email, 'confirm-email') } })
  const weekMs = 7 * 24 * 3600 * 1000
  const countChanges = async () =>
    (await site.db.selectFrom('emailChanges').select('id').where('userId', '=', user._id).execute()).length
  await deleteOldChanges(site.db, new Date(site.clock.now().getTime() + weekMs - 1000))
  expect(await countChanges()).toBe(1)
  await deleteOldChanges(site.db, new Date(site.clock.now().getTime() + weekMs + 1000))
  expect(await countChanges()).toBe(0)
  await signUp(site, { email: user.email })
})

test('a new password ends a pending change', async () => {
  const { client, user } = await signUp(site)
  const email = `pending-${user.email}`
  await client.call(updateDetails, { body: { email } })
  await codeFor(email, 'confirm-email')
  await resetPassword(site.context, user._id, 'another good password')
  // as of a mail that the server of the new address accepts only now
  const expiresAt = new Date(site.clock.now().getTime() + 60_000)
  const code = { codeHash: hashOfToken('late'), userId: user._id, email, expiresAt }
  await insertCode(site.db, { ...code, purpose: 'confirm_email' })
  expect((await confirm('late')).status).toBe(400)
  expect(await emailOf(user._id)).toBe(user.email)
})

test('another link to the new address comes with another to the previous one', async () => {
  const { client, user } = await signUp(site)
  const email = `again-${user.email}`
  await client.call(updateDetails, { body: { email } })
  await codeFor(email, 'confirm-email')
  await codeFor(user.email, 'keep-email')
  await client.call(requestEmailConfirmation, {})
  await codeFor(email, 'confirm-email', 2)
  expect((await keep(await codeFor(user.email, 'keep-email', 2))).status).toBe(200)
})

test('a link for a new password that was mailed to another address than that of the account does not count', async () => {
  const { user } = await signUp(site)
  const expiresAt = new Date(site.clock.now().getTime() + 60_000)
  const reset = async (code: string, email: string) => {
    const codeHash = hashOfToken(code)
    await insertCode(site.db, { codeHash, userId: user._id, email, purpose: 'password_reset', expiresAt })
    const body = { code, newPassword: 'another good password' }
    return (await site.client().post(`${users}/resetpassword`, body)).status
  }
  expect(await reset('stray', `previous-${user.email}`)).toBe(400)
  expect(await reset('right', user.email)).toBe(200)
})
