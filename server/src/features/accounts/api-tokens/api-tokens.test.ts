import { api } from '@kinora/contract/api.ts'
import { urlOf } from '@kinora/contract/client.ts'
import { addComment } from '@kinora/contract/conversation/comments.ts'
import { apiTokensPerAccount } from '@kinora/contract/constants.ts'
import { apiPrefix, type Endpoint } from '@kinora/contract/endpoint.ts'
import { createApiToken, deleteApiToken, listApiTokens } from '@kinora/contract/accounts/api-tokens.ts'
import { type TokenScope, tokenScopeOf, tokenScopes } from '@kinora/contract/accounts/token-scopes.ts'
import { deleteAccount } from '@kinora/contract/portability/account-deletion.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { begin, append, publish, videoOf } from '../../../testing/fixtures/test-uploads.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { reinstateUser, suspendUser } from '../users/actions/suspend-user.ts'
import { resetPassword } from '../users/actions/change-password.ts'
import { updateRole } from '../users/queries.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { REQUESTS_PER_MINUTE: '100000' } })
})
afterAll(() => site.close())

const create = (client: TestClient, scopes: TokenScope[], days: number | null = 90) =>
  client.call(createApiToken, { body: { name: 'Script', scopes, days, password: testPassword } })

/** A client that sends a token and no cookies. */
function programOf(token: string): TestClient {
  const program = site.client()
  program.token = token
  return program
}

const currentUser = (program: TestClient) => program.get(urlOf(getCurrentUser, {}))

/** Values of the parameters of a path that no row has. */
const nowhere = (path: string) => path.replaceAll(/:\w+/g, 'abc')

/** Endpoints with a session that an API token must never reach. */
const ofAccountSecurity = ({ path, tag }: Endpoint) =>
  ['sessions', 'sign-in', 'second-factor', 'passkeys', 'api-tokens', 'oidc', 'passwords', 'emails'].includes(
    tag,
  ) ||
  /^\/users\/(changepass|deleteaccount|updatedetails|email|export|tokens|sessions|passkeys|secondfactor|oidc)/.test(
    path,
  )

test('shows a token once, and stores a hash of it', async () => {
  const { client, user } = await signUp(site)
  const { token, ...created } = await create(client, ['read'])
  expect(token).toMatch(/^kin_[\w-]{43}$/)
  expect((await currentUser(programOf(token))).body.data).toMatchObject({ _id: user._id })
  const { text } = await client.get(`${apiPrefix}/users/tokens`)
  expect(text).not.toContain(token)
  const [listed] = await client.call(listApiTokens, {})
  expect(listed).toEqual({ ...created, usedAt: site.clock.now().toISOString() })
  const rows = await site.db.selectFrom('apiTokens').selectAll().where('userId', '=', user._id).execute()
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('needs the password, and at least one scope that the role allows', async () => {
  const { client, user } = await signUp(site)
  const make = (scopes: TokenScope[], password = testPassword, name = 'Script') =>
    client.post(`${apiPrefix}/users/tokens`, { name, scopes, days: 1, password })
  expect((await make(['read'], 'not the one')).body).toMatchObject({
    statusCode: 400,
    errors: [{ path: 'password' }],
  })
  expect((await make([])).status).toBe(400)
  expect((await make(['read'], testPassword, 'a\u0000b')).status).toBe(400)
  expect((await make(['admin'])).status).toBe(403)
  await updateRole(site.db, user._id, 'moderator')
  expect((await make(['admin'])).status).toBe(201)
})

test('an account has a limited number of tokens', async () => {
  const { client, user } = await signUp(site)
  await create(client, ['read'])
  const rows = Array.from({ length: apiTokensPerAccount - 2 }, (_, at) => ({
    id: `${user._id}${at}`,
    userId: user._id,
    tokenHash: Buffer.from(`${user._id}${at}`),
    name: 'Script',
    scopes: ['read'],
    createdAt: site.clock.now(),
    expiresAt: null,
    usedAt: null,
  }))
  await site.db.insertInto('apiTokens').values(rows).execute()
  const results = await Promise.allSettled([create(client, ['read']), create(client, ['read'])])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(create(client, ['read'])).rejects.toMatchObject({ status: 409 })
})

test.each(tokenScopes)(
  'a token with the scope %s reaches the endpoints of that scope alone',
  async (scope) => {
    const { client, user } = await signUp(site)
    await updateRole(site.db, user._id, 'administrator')
    const program = programOf((await create(client, [scope])).token)
    const outcomes = new Map<string, boolean>()
    // calls with a body of no use: what gets past the scope fails later, or changes nothing
    for (const endpoint of api) {
      if (endpoint.auth === 'none' || endpoint.events) continue
      const isOpen = tokenScopeOf(endpoint) === scope
      // a real backup or clean-up would start
      if (isOpen && ['createBackup', 'freeSpace', 'retryJobs'].includes(endpoint.name)) continue
      const { body } = await program.send(
        endpoint.method,
        apiPrefix + nowhere(endpoint.path),
        endpoint.method === 'GET' ? undefined : {},
      )
      const isRefused = body.statusCode === 403 && /scope|not possible with an API token/.test(body.message)
      expect([endpoint.name, isRefused]).toEqual([endpoint.name, !isOpen])
      outcomes.set(endpoint.name, !isRefused)
    }
    expect([...outcomes.values()]).toContain(true)
    expect([...outcomes.values()]).toContain(false)
  },
)

test('each scope opens what its name says', () => {
  const names = (scope: TokenScope | null) =>
    api.filter((endpoint) => tokenScopeOf(endpoint) === scope).map(({ name }) => name)
  expect(names('read')).toEqual(expect.arrayContaining(['listVideos', 'getCurrentUser', 'listOwnVideos']))
  expect(names('upload')).toEqual(
    expect.arrayContaining(['uploadVideo', 'publishUpload', 'changeOwnVideo', 'deleteVideo', 'addCaptions']),
  )
  expect(names('comment')).toEqual(expect.arrayContaining(['addComment', 'toggleVideoLike']))
  expect(names('admin')).toEqual(expect.arrayContaining(['listPeople', 'changeTakedown', 'decideReport']))
  expect(names(null)).toEqual(
    expect.arrayContaining([
      'changeRole',
      'deletePerson',
      'getFeedAddress',
      ...api.filter(ofAccountSecurity).map(({ name }) => name),
    ]),
  )
  const ofRoles = api.filter(({ role }) => role).map((endpoint) => tokenScopeOf(endpoint))
  expect(new Set(ofRoles)).toEqual(new Set(['admin', null]))
})

test('the powers of a role need the scope admin', async () => {
  const author = await signUp(site)
  const moderator = await signUp(site)
  await updateRole(site.db, moderator.user._id, 'moderator')
  const videoId = await addVideo(site, author.user._id)
  const comment = await author.client.call(addComment, { body: { videoId, content: 'Well seen' } })
  const path = `${apiPrefix}/comment/delete/${videoId}/${comment._id}`
  const { token } = await create(moderator.client, ['read', 'comment'])
  expect((await programOf(token).delete(path)).status).toBe(403)
  expect((await author.client.delete(path)).status).toBe(200)
})

test('an unknown, expired or revoked token gets 401, also where nobody needs to sign in', async () => {
  const { client } = await signUp(site)
  const short = programOf((await create(client, ['read'], 1)).token)
  const revoked = await create(client, ['read'])
  await client.call(deleteApiToken, { params: { tokenId: revoked._id } })
  site.clock.advance(24 * 3600_000 + 1)
  for (const program of [short, programOf(revoked.token), programOf('kin_abc')]) {
    for (const path of ['/video/all', '/users/currentuser']) {
      const { status, headers } = await program.get(apiPrefix + path)
      expect([path, status]).toEqual([path, 401])
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
  }
})

test('a token alone decides, and a session beside it is ignored', async () => {
  const { client } = await signUp(site)
  const other = await signUp(site)
  const { token } = await create(client, ['read'])
  other.client.token = token
  expect((await currentUser(other.client)).body.data).not.toMatchObject({ _id: other.user._id })
  other.client.token = 'kin_abc'
  expect((await currentUser(other.client)).status).toBe(401)
  // headers for a proxy in front of the site
  for (const header of ['Bearer abc', 'Basic a2luX2FiYzo=']) {
    const { status } = await client.fetch(urlOf(getCurrentUser, {}), { headers: { authorization: header } })
    expect(status).toBe(200)
  }
})

test('writes by a token need no origin, those by a session still do', async () => {
  const { client, user } = await signUp(site)
  const videoId = await addVideo(site, user._id)
  const send = (by: TestClient) =>
    by.fetch(`${apiPrefix}/likes/video/toggle/${videoId}`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    })
  expect((await send(client)).status).toBe(403)
  expect((await send(programOf((await create(client, ['comment'])).token))).status).toBe(200)
})

test('responses to a token are private, and the cache answers nobody else with them', async () => {
  const { client, user } = await signUp(site)
  const videoId = await addVideo(site, user._id, { visibility: 'private' })
  const program = programOf((await create(client, ['read'])).token)
  const path = `${apiPrefix}/video/${videoId}`
  const { status, headers } = await program.get(path)
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect((await site.client().get(path)).status).toBe(404)
  expect((await client.get(path)).status).toBe(200)
})

test('uploads resumably and publishes by a token; revoking it stops the publication', async () => {
  const { client } = await signUp(site)
  const { token, _id: tokenId } = await create(client, ['upload'])
  const program = programOf(token)
  const file = await videoOf(200_000)
  const first = await begin(program, file.length)
  await append(program, first, 0, file)
  expect((await publish(program, first)).status).toBe(201)
  const second = await begin(program, file.length)
  await append(program, second, 0, file)
  await client.call(deleteApiToken, { params: { tokenId } })
  expect((await publish(program, second)).status).toBe(401)
  expect((await publish(programOf((await create(client, ['read'])).token), second)).status).toBe(403)
})

test('suspension, a reset of the password and deletion end every token', async () => {
  const { client, user } = await signUp(site)
  const first = programOf((await create(client, ['read'])).token)
  await suspendUser(site.context, user._id)
  await reinstateUser(site.context, user._id)
  expect((await currentUser(first)).status).toBe(401)
  const again = site.client()
  const credentials = { username: user.username, password: testPassword }
  await again.post(`${apiPrefix}/users/login`, credentials)
  const second = programOf((await create(again, ['read'])).token)
  expect((await currentUser(second)).status).toBe(200)
  await resetPassword(site.context, user._id, testPassword)
  expect((await currentUser(second)).status).toBe(401)
  await again.post(`${apiPrefix}/users/login`, credentials)
  const third = programOf((await create(again, ['read'])).token)
  await again.call(deleteAccount, { body: { password: testPassword } })
  expect((await currentUser(third)).status).toBe(401)
})

test('a changed password keeps the tokens', async () => {
  const { client } = await signUp(site)
  const program = programOf((await create(client, ['read'])).token)
  const passwords = { oldPassword: testPassword, newPassword: `new ${testPassword}` }
  expect((await client.post(`${apiPrefix}/users/changepass`, passwords)).status).toBe(200)
  expect((await currentUser(program)).status).toBe(200)
})

test('all tokens of a person together have the limit of one address', async () => {
  const limited = await createTestApp({ settings: { REQUESTS_PER_MINUTE: '30', TRUST_PROXY: 'true' } })
  try {
    const { client } = await signUp(limited)
    const tokens = await Promise.all([create(client, ['read']), create(client, ['read'])])
    const statuses: number[] = []
    for (let at = 0; at < 32; at += 1) {
      const { status } = await fetch(limited.origin + urlOf(getCurrentUser, {}), {
        headers: {
          authorization: `Bearer ${tokens[at % 2]?.token}`,
          'x-forwarded-for': `192.0.2.${at}`,
        },
      })
      statuses.push(status)
    }
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429, 429])
  } finally {
    await limited.close()
  }
})
