import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { getCurrentUser, putLanguage } from '@kinora/contract/accounts/users.ts'
import { hashSync } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { constants } from '../../../context/constants.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawPicture, registrationForm, signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { changeOwnPassword } from './actions/change-password.ts'
import { replacePicture } from './actions/change-pictures.ts'

const users = '/api/v1/users'
let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ constants: { passwordHashing: constants.passwordHashing } })
})
afterAll(() => site.close())

const register = async (fields: Parameters<typeof registrationForm>[0] = {}) =>
  site.client().post(`${users}/register`, await registrationForm(fields))

const formOf = (field: string, value: Blob | string) => {
  const form = new FormData()
  form.set(field, value)
  return form
}

describe('register', () => {
  test('creates an account with both pictures', async () => {
    const coverImage = await drawPicture(1600, 400, 'jpeg')
    const { status, body } = await register({ username: 'Ada1', email: 'Ada@Example.org', coverImage })
    expect([status, body.success]).toEqual([201, true])
    expect(body.data).toMatchObject({
      username: 'Ada1',
      email: 'Ada@Example.org',
      subscribersCount: 0,
      subscribedToCount: 0,
      isSubscribed: false,
      watchHistory: [],
    })
    const { avatar, coverImage: cover } = body.data as Record<string, string>
    for (const url of [avatar, cover]) {
      const response = await site.client().fetch(String(url))
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
    }
  })

  test('does not require a cover', async () => {
    const empty = await register({ coverImage: new Blob([]) })
    expect(empty.body.data).toMatchObject({ coverImage: null })
  })

  test.each([
    ['fullname', '', 'Full name is required'],
    ['fullname', undefined, 'Full name is required'],
    ['fullname', 'x'.repeat(101), 'Full name may have at most 100 characters'],
    ['fullname', 'a\0b', 'This text contains a character that cannot be stored'],
    ['email', undefined, 'Email is required'],
    ['email', 'abc', 'Invalid email address'],
    ['email', 'a b@c', 'Invalid email address'],
    ['username', undefined, 'Username is required'],
    ['username', 'with space', 'Username can only contain letters and numbers'],
    ['username', 'ünder', 'Username can only contain letters and numbers'],
    ['password', undefined, 'Password is required'],
    ['password', 'seven77', 'Password must have at least 8 characters'],
    ['password', 'x'.repeat(201), 'Password may have at most 200 characters'],
    ['avatar', undefined, 'Profile picture is required'],
    ['avatar', 'a text', 'Profile picture is required'],
    [
      'avatar',
      new Blob(['no picture']),
      'The profile picture must be an image: JPEG, PNG, WebP, GIF or AVIF',
    ],
    [
      'coverImage',
      new Blob(['no picture']),
      'The cover picture must be an image: JPEG, PNG, WebP, GIF or AVIF',
    ],
  ])('rejects %s: %s', async (field, value, message) => {
    const { status, body } = await register({ [field]: value })
    expect([status, body.message, body.code]).toEqual([400, message, 'invalid'])
  })

  test('accepts the shortest possible email', async () => {
    expect((await register({ email: 'a@b' })).status).toBe(201)
  })

  test('rejects a taken username or email, case-insensitive', async () => {
    await register({ username: 'Taken', email: 'taken@example.org' })
    const username = await register({ username: 'tAKEN' })
    expect([username.status, username.body.message]).toEqual([409, 'This username is already taken'])
    const email = await register({ email: 'TAKEN@example.org' })
    expect([email.status, email.body.message]).toEqual([409, 'This email is already in use'])
    expect(email.body.errors).toMatchObject([{ path: 'email', message: 'This email is already in use' }])
  })

  test('takes both spellings of an international domain for one address', async () => {
    await register({ username: 'umlaut', email: 'ines@münchen.example' })
    for (const email of ['Ines@xn--mnchen-3ya.example', 'ines@MÜNCHEN.example', 'ines@ｍünchen.example'])
      expect((await register({ email })).body.message).toBe('This email is already in use')
    const login = { email: 'ines@xn--mnchen-3ya.example', password: testPassword }
    expect((await site.client().post('/api/v1/users/login', login)).status).toBe(200)
    expect((await register({ email: 'ines@munchen.example' })).status).toBe(201)
  })

  test('gives a name to exactly one of many concurrent registrations', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => register({ username: 'race' })))
    const statuses = responses.map(({ status }) => status).sort((a, b) => a - b)
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })

  test('leaves no file behind after a rejection', async () => {
    const count = async () => {
      let files = 0
      for await (const { key } of site.storage.list('pictures/')) if (key) files += 1
      return files
    }
    const before = await count()
    await register({ coverImage: new Blob(['no picture']) })
    await register({ username: 'race' })
    expect(await count()).toBe(before)
  })

  test('never returns a password or its hash', async () => {
    const { text } = await register({ password: 'a very secret password' })
    expect(text).not.toMatch(/secret|argon2|password/i)
  })
})

test('a language chosen in one browser comes with the account to the next', async () => {
  const { user, client } = await signUp(site)
  const languageOf = async (from: typeof client) => (await from.call(getCurrentUser, {})).language
  expect(await languageOf(client)).toBeUndefined()
  await client.call(putLanguage, { body: { language: 'ar' } })
  const other = site.client()
  await other.post(`${users}/login`, { email: user.email, password: testPassword })
  expect(await languageOf(other)).toBe('ar')
  const unknown = client.call(putLanguage, { body: { language: 'tlh' as 'en' } })
  await expect(unknown).rejects.toMatchObject({ status: 400, errors: [{ path: 'language' }] })
})

test('a password may contain any character, and each of them counts', async () => {
  const password = `  \u{1f511} "'<&>;-- \u202e\t${'x'.repeat(170)} z`
  const { user } = await signUp(site, { password })
  const status = async (typed: string) =>
    (await site.client().post(`${users}/login`, { email: user.email, password: typed })).status
  expect(await status(password)).toBe(200)
  const others = [password.trim(), password.toUpperCase(), password.slice(0, -1), `${password.slice(0, -1)}y`]
  for (const other of others) expect(await status(other)).toBe(401)
  const tooLong = await registrationForm({ password: 'x'.repeat(201) })
  expect((await site.client().post(`${users}/register`, tooLong)).status).toBe(400)
})

describe('channel', () => {
  test('is the same for every signed-in user', async () => {
    const { user } = await signUp(site, { username: 'Shown' })
    const { client } = await signUp(site)
    const { status, body } = await client.get(`${users}/c/sHOWN`)
    expect(status).toBe(200)
    const { email: _, role: __, watchHistory: ___, ...channel } = user
    expect(body.data).toEqual(channel)
  })

  test('returns 404 for an unknown name and 401 when signed out', async () => {
    const { client } = await signUp(site)
    for (const name of ['nobody', '%00', '..%2f', 'a'.repeat(500), '%F0%9F%8E%89']) {
      expect((await client.get(`${users}/c/${name}`)).status).toBe(404)
    }
    expect((await site.client().get(`${users}/c/nobody`)).status).toBe(401)
  })
})

describe('details', () => {
  const path = `${users}/updatedetails`

  test('changes one field and keeps the other', async () => {
    const { client, user } = await signUp(site)
    const fullname = await client.patch(path, { fullname: '  New Name ', email: '' })
    expect(fullname.body.data).toMatchObject({ fullname: 'New Name', email: user.email })
    const email = await client.patch(path, new URLSearchParams({ fullname: '', email: 'new@x' }))
    expect(email.body.data).toMatchObject({ fullname: 'New Name', email: 'new@x' })
  })

  test('rejects wrong values', async () => {
    const { user } = await signUp(site)
    const { client } = await signUp(site)
    const taken = await client.patch(path, { email: user.email.toUpperCase() })
    expect([taken.status, taken.body.message]).toEqual([409, 'This email is already in use'])
    const bad = await client.patch(path, { email: 'nothing' })
    expect([bad.status, bad.body.message]).toEqual([400, 'Invalid email address'])
    const empty = await client.patch(path, { email: '', fullname: ' ' })
    expect([empty.status, empty.body.message]).toEqual([400, 'Please enter email or fullname to edit!'])
    expect((await site.client().patch(path, { fullname: 'x' })).status).toBe(401)
  })

  test('accepts unchanged values', async () => {
    const { client, user } = await signUp(site)
    expect((await client.patch(path, { email: user.email })).status).toBe(200)
  })
})

describe('password', () => {
  const path = `${users}/changepass`
  const signIn = (username: string, password: string) =>
    site.client().post(`${users}/login`, { username, password })

  test('changing it ends every other session', async () => {
    const { client, user } = await signUp(site)
    const elsewhere = site.client()
    await elsewhere.post(`${users}/login`, { username: user.username, password: testPassword })
    const changed = await client.post(path, { oldPassword: testPassword, newPassword: 'another one' })
    expect(changed.status).toBe(200)
    expect((await client.get(`${users}/currentuser`)).status).toBe(200)
    expect((await elsewhere.get(`${users}/currentuser`)).status).toBe(401)
    expect((await signIn(user.username, testPassword)).status).toBe(401)
    expect((await signIn(user.username, 'another one')).status).toBe(200)
  })

  test.each([
    ['', '', 'Please enter passwords in order to save!'],
    ['', 'another one', 'Please enter your current password'],
    [testPassword, '', 'Please enter a new password'],
    [testPassword, testPassword, 'Please select a new password!'],
    [testPassword, '😀'.repeat(7), 'Password must have at least 8 characters'],
    [testPassword, 'short', 'Password must have at least 8 characters'],
    ['wrong password', 'another one', 'The current password is wrong'],
  ])('cannot be changed from "%s" to "%s"', async (oldPassword, newPassword, message) => {
    const { client, user } = await signUp(site)
    const { status, body } = await client.post(path, { oldPassword, newPassword })
    expect([status, body.message]).toEqual([400, message])
    expect((await signIn(user.username, testPassword)).status).toBe(200)
  })

  test('is changed once by concurrent requests; the others fail with the wrong old password', async () => {
    const { client, user } = await signUp(site)
    const wanted = ['the first one', 'the second one', 'the third one', 'the fourth one']
    const responses = await Promise.all(
      wanted.map((newPassword) => client.post(path, { oldPassword: testPassword, newPassword })),
    )
    const changed = wanted.filter((_, index) => responses[index]?.status === 200)
    expect(changed).toHaveLength(1)
    for (const { status, body } of responses.filter((response) => response.status !== 200))
      expect([status, body.message]).toEqual([400, 'The current password is wrong'])
    expect((await signIn(user.username, changed[0] ?? '')).status).toBe(200)
  })

  test('of the test account cannot be changed', async () => {
    const { client } = await signUp(site, { username: 'TesT' })
    const bodies = [{}, { oldPassword: testPassword, newPassword: 'another one' }, { newPassword: 'x' }]
    for (const body of bodies) {
      const response = await client.post(path, body)
      expect([response.status, response.body.message]).toEqual([
        403,
        accountErrors.sharedAccountPassword.message,
      ])
    }
    expect((await site.client().post(path, {})).status).toBe(401)
  })

  test('is stored as a hash with the same parameters as the dummy hash', async () => {
    const { user } = await signUp(site)
    const { passwordHash } = await site.db
      .selectFrom('users')
      .select('passwordHash')
      .where('id', '=', user._id)
      .executeTakeFirstOrThrow()
    const parametersOf = (hash: string) => hash.split('$').slice(0, 4).join('$')
    expect(parametersOf(passwordHash)).toBe(parametersOf(hashSync('x')))
    expect(parametersOf(passwordHash)).toBe('$argon2id$v=19$m=19456,t=2,p=1')
  })
})

describe.each([
  ['updateavatar', 'avatar'],
  ['updatecover', 'coverImage'],
])('%s', (call, field) => {
  const path = `${users}/${call}`

  test('replaces the picture', async () => {
    const { client, user } = await signUp(site)
    const { status, body } = await client.patch(path, formOf(field, await drawPicture(900, 300, 'webp')))
    expect(status).toBe(200)
    const url = (body.data as Record<string, string>)[field]
    expect(url).not.toBe(user[field as 'avatar' | 'coverImage'])
    expect((await client.get(`${users}/currentuser`)).body.data).toMatchObject({ [field]: url })
    expect((await client.fetch(String(url))).status).toBe(200)
  })

  test('requires a picture', async () => {
    const { client } = await signUp(site)
    const bodies = [
      undefined,
      {},
      new URLSearchParams({ [field]: 'x' }),
      formOf('other', 'x'),
      formOf(field, 'a text'),
      formOf(field, new Blob([])),
      formOf(field, new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' })),
    ]
    for (const body of bodies) {
      const response = await client.patch(path, body)
      expect([response.status, response.body.message]).toEqual([400, 'Please upload a file first!'])
    }
    expect((await site.client().patch(path, formOf(field, await drawPicture()))).status).toBe(401)
  })
})

test('a request in progress returns 401 when its account is deleted', async () => {
  const file = join(site.context.config.dataDir, 'avatar.png')
  await writeFile(file, Buffer.from(await (await drawPicture()).arrayBuffer()))
  const gone = { id: 'deleted', username: 'deleted', role: 'member', hasMuted: false, choices: {} } as const
  const refusal = { code: 'unauthenticated' }
  await expect(replacePicture(site.context, gone.id, 'avatar', file)).rejects.toMatchObject(refusal)
  const passwords = { oldPassword: testPassword, newPassword: 'another one' }
  await expect(changeOwnPassword(site.context, gone, passwords, '')).rejects.toMatchObject(refusal)
})
