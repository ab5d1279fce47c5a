import { addComment } from '@kinora/contract/conversation/comments.ts'
import { errorStatus } from '@kinora/contract/failure.ts'
import { createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateRole } from '../features/accounts/users/queries.ts'
import { changeSettings } from '../features/operations/site/actions.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { createTestApp, type TestApp } from '../testing/fixtures/test-app.ts'
import type { TestClient } from '../testing/fixtures/test-client.ts'
import { signUp } from '../testing/fixtures/test-users.ts'
import { addVideo } from '../testing/fixtures/test-videos.ts'

/**
 * Sends malformed requests to every call of the OpenAPI document. Every response must be JSON in the envelope and not
 * a 5xx.
 */

interface Schema {
  type?: string
  enum?: string[]
  format?: string
  minimum?: number
  pattern?: string
  properties?: Record<string, Schema>
}
interface Operation {
  operationId: string
  security: object[]
  parameters?: { name: string; in: 'path' | 'query'; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
interface Call extends Operation {
  method: string
  path: string
}

let site: TestApp
let client: TestClient
let user: { _id: string; username: string }
let calls: Call[]

beforeAll(async () => {
  site = await createTestApp()
  const person = await signUp(site)
  client = person.client
  user = person.user
  // an administrator reaches every call
  await updateRole(site.db, person.user._id, 'administrator')
  const document = JSON.parse((await client.get('/api/v1/openapi.json')).text) as {
    servers: [{ url: string }]
    paths: Record<string, Record<string, Operation>>
  }
  calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path: document.servers[0].url + path,
    })),
  )
})
afterAll(() => site.close())

const isRequired = ({ security }: Call) =>
  security.length > 0 && !security.some((one) => Object.keys(one).length === 0)
const schemaOf = ({ requestBody }: Call) => Object.values(requestBody?.content ?? {})[0]?.schema
const fieldsOf = (call: Call) => Object.keys(schemaOf(call)?.properties ?? {})
const pathOf = ({ path }: Call, value = 'nothing') => path.replaceAll(/\{\w+\}/g, value)

const strange: Record<string, string> = {
  'a zero byte': '%00',
  'half a character': '%c3',
  'a broken escape': '%zz',
  'a climb': '..%2f..%2fetc%2fpasswd',
  'a quote': "'%20or%201=1%20--",
  'an emoji': '%F0%9F%8E%AC',
  'a long text': 'x'.repeat(4000),
  'a number': '-1',
  'a wildcard': '%25%5F*',
}

/** How many of the values each call gets: on every change a third, each of them at another third of the calls. */
const shares = [
  { share: 'a third', step: 3 },
  { share: 'all', step: 1 },
]
const ofShare = <Value>(values: Value[], step: number, callIndex: number) =>
  values.filter((_, index) => (index + callIndex) % step === 0)

async function expectRefusal(call: Call, what: string, response: Response, allowed = 399): Promise<void> {
  const where = `${call.method} ${call.path} with ${what}`
  const text = await response.text()
  expect(response.status, `${where}: ${text.slice(0, 300)}`).toBeLessThan(500)
  if (response.status <= allowed) return
  expect(response.headers.get('content-type'), where).toBe('application/json; charset=utf-8')
  const envelope = JSON.parse(text) as { code: keyof typeof errorStatus; message: string }
  expect(envelope, where).toMatchObject({ success: false, statusCode: response.status, data: null })
  expect(errorStatus[envelope.code], where).toBe(response.status)
  expect(envelope.message.length, where).toBeGreaterThan(3)
  expect(envelope.message, where).not.toMatch(/Invalid input|Too (small|big)|expected/)
  expect(text, where).not.toMatch(/\.ts:|node_modules|at async|select .* from|syntax error/)
}

const send = (visitor: TestClient, call: Call, path: string, body?: string | FormData, type?: string) =>
  visitor.fetch(path, {
    method: call.method,
    ...(body === undefined ? {} : { body }),
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
  })

test('openapi.json has every endpoint', () => {
  expect(calls.length).toBeGreaterThanOrEqual(30)
  expect(new Set(calls.map(({ operationId }) => operationId)).size).toBe(calls.length)
})

test('serves Swagger UI with its files and the headers of every page', async () => {
  const visitor = site.client()
  const page = await visitor.fetch('/api/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  expect(page.headers.get('content-security-policy')).toContain("style-src 'self' 'unsafe-inline'")
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  const html = await page.text()
  expect(html).toContain('Kinora API')
  const files = [...html.matchAll(/(?:src|href)="(\.?\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const { pathname } = new URL(file, `${site.origin}/api/docs`)
    const response = await visitor.fetch(pathname)
    expect([pathname, response.status, (await response.arrayBuffer()).byteLength > 50]).toEqual([
      pathname,
      200,
      true,
    ])
  }
  expect((await visitor.fetch('/api/docs/static/nothing.js')).status).toBe(404)
  expect((await visitor.fetch('/api/docs', { method: 'HEAD' })).status).toBe(200)
})

test('rejects anonymous requests before it validates them', async () => {
  for (const call of calls.filter(isRequired)) {
    const body = call.method === 'GET' ? undefined : '{"broken'
    const response = await send(site.client(), call, pathOf(call), body, 'application/json')
    expect([call.operationId, response.status]).toEqual([call.operationId, 401])
    await expectRefusal(call, 'nobody signed in', response)
  }
})

for (const { share, step } of shares)
  test(`returns 404 for malformed ids and names: ${share}`, nightlyUnless(step > 1), async () => {
    expect.hasAssertions()
    const withNames = calls.filter(({ path, method }) => path.includes('{') && method !== 'OPTIONS')
    for (const [index, call] of withNames.entries()) {
      for (const [what, value] of ofShare(Object.entries(strange), step, index)) {
        const response = await send(client, call, pathOf(call, value))
        // every text is a valid search
        await expectRefusal(call, what, response, call.operationId === 'searchVideos' ? 200 : 0)
      }
    }
  })

/** Values that are certainly invalid: none for search texts, numbers below the minimum. */
function mayAccept(
  name: string,
  { type, enum: values, pattern, minimum = 1 }: Schema,
  value: string,
): boolean {
  if (type === 'integer') return Number(value) === 0 && minimum <= 0
  const isOfPattern = pattern === undefined || new RegExp(pattern, 'u').test(value)
  return type === 'string' && name !== 'cursor' && values === undefined && isOfPattern
}

for (const { share, step } of shares)
  test(`returns 400 for invalid queries: ${share}`, nightlyUnless(step > 1), async () => {
    const values = [
      '',
      '-1',
      '0',
      '1e99',
      'NaN',
      'x',
      '%00',
      '%zz',
      '%c3%28',
      'x'.repeat(3000),
      '999999999999999999999',
    ]
    for (const [index, call] of calls.entries()) {
      for (const { name, schema } of (call.parameters ?? []).filter(
        (parameter) => parameter.in === 'query',
      )) {
        for (const value of ofShare(values, step, index)) {
          const response = await send(client, call, `${pathOf(call)}?${name}=${value}`)
          const allowed = mayAccept(name, schema, value) ? [200, 400, 404] : [400, 404]
          expect([name, value, response.status]).toEqual([name, value, expect.toBeOneOf(allowed)])
          await expectRefusal(call, `${name}=${value}`, response)
        }
        await expectRefusal(call, 'twice', await send(client, call, `${pathOf(call)}?${name}=1&${name}=2`))
      }
    }
  })

test('returns 400 or a page for crafted cursors', async () => {
  const videoId = await addVideo(site, user._id)
  await site.db.updateTable('videos').set({ chatFrom: site.clock.now() }).where('id', '=', videoId).execute()
  const { _id: commentId } = await client.call(addComment, { body: { videoId, content: 'First' } })
  const { _id: playlistId } = await client.call(createPlaylist, { body: { title: 'Kept' } })
  const given: Record<string, string> = { videoId, commentId, playlistId, username: user.username, term: 'x' }
  const at = '2026-01-01T00:00:00.000Z'
  const crafted = [
    ...['abc', '-', '1-2', '9'.repeat(23), '\0', ''].map((id) => `${at}|${id}`),
    ...['99999999999-x', '9'.repeat(15), 'x'].map((score) => `${score}|${at}|x`),
    '0000-01-01T00:00:00.000Z|x',
    '2026-02-31T00:00:00.000Z|x',
    `${at}|1|1|1`,
  ]
  const cursors = [...crafted.map((text) => Buffer.from(text).toString('base64url')), '%00', 'a"b']
  // lists of what a link opens need its visit in a body
  const lists = calls.filter(
    ({ parameters, requestBody }) => !requestBody && parameters?.some(({ name }) => name === 'cursor'),
  )
  expect(lists.length).toBeGreaterThan(12)
  for (const call of lists) {
    // one list requires a tag or category; the others ignore it
    const path = `${call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? name)}?tag=x`
    expect([call.operationId, (await send(client, call, path)).status]).toEqual([call.operationId, 200])
    const sort = call.parameters?.find(({ name }) => name === 'sort')
    const queries = (sort?.schema.enum ?? ['']).flatMap((order) =>
      cursors.map((cursor) => `&cursor=${cursor}${order && `&sort=${order}`}`),
    )
    const responses = await Promise.all(queries.map((query) => send(client, call, path + query)))
    for (const [index, response] of responses.entries()) {
      expect([path, queries[index], response.status]).toEqual([
        path,
        queries[index],
        expect.toBeOneOf([200, 400]),
      ])
      await expectRefusal(call, queries[index] ?? '', response)
    }
    expect(responses.filter(({ status }) => status === 400).length, path).toBeGreaterThan(0)
  }
})

describe('bodies', () => {
  const withBody = () => calls.filter(({ requestBody }) => requestBody)

  for (const { share, step } of shares)
    test(`are rejected if they are malformed: ${share}`, nightlyUnless(step > 1), async () => {
      const bodies: [string, string, number[]][] = [
        ['{"broken', 'application/json', [400]],
        ['[]', 'application/json', [400, 403]],
        ['"text"', 'application/json', [400, 403]],
        ['12', 'application/json', [400, 403]],
        ['[['.repeat(15_000), 'application/json', [400]],
        ['', 'application/json', [400, 403]],
        ['%zz=%00&&==', 'application/x-www-form-urlencoded', [400, 403]],
        ['<a/>', 'text/xml', [415]],
        ['x', 'text/plain', [415]],
        ['--b\r\nnonsense', 'multipart/form-data; boundary=b', [400]],
        ['x', 'multipart/form-data', [400]],
        ['x'.repeat(1_200_000), 'application/x-www-form-urlencoded', [413]],
        [JSON.stringify('x'.repeat(1_200_000)), 'application/json', [413]],
      ]
      for (const [index, call] of withBody().entries()) {
        for (const [body, type, statuses] of ofShare(bodies, step, index)) {
          const response = await send(client, call, pathOf(call), body, type)
          const what = `${body.slice(0, 20)} as ${type}`
          // Some calls look up their subject before the body.
          expect([...statuses, 404], `${call.operationId} with ${what}: ${response.status}`).toContain(
            response.status,
          )
          await expectRefusal(call, what, response)
        }
      }
    })

  for (const { share, step } of shares)
    test(`with fields of wrong types are rejected: ${share}`, nightlyUnless(step > 1), async () => {
      expect.hasAssertions()
      const values = [
        null,
        true,
        -1,
        1e308,
        [],
        ['x'],
        {},
        { a: { b: 1 } },
        '',
        ' ',
        '\0',
        'a\0b',
        'x'.repeat(300_000),
      ]
      for (const [callIndex, call] of withBody().entries()) {
        for (const [index, name] of fieldsOf(call).entries()) {
          const type = schemaOf(call)?.properties?.[name]?.type
          const sendValue = async (value: unknown) => {
            const body = JSON.stringify({ [name]: value, __proto__: 1, constructor: 'x' })
            const response = await send(client, call, pathOf(call), body, 'application/json')
            // A list of ids is accepted, with an error for each unknown one.
            const isList = Array.isArray(value) && type === 'array'
            // Every setting of the site may be changed alone, and most may be empty.
            const isSetting = call.operationId === 'putSiteSettings'
            const isValid = isList || isSetting || (typeof value === 'boolean' && type === 'boolean')
            await expectRefusal(call, `${name} = ${body.slice(0, 60)}`, response, isValid ? 200 : 0)
          }
          await Promise.all(ofShare(values, step, callIndex + index).map(sendValue))
        }
      }
    })

  test('with unusual valid texts cause no 5xx', async () => {
    expect.hasAssertions()
    for (const call of withBody()) {
      for (const value of [
        '\ud800',
        '\u202e\u200b',
        '😀'.repeat(40),
        '<script>',
        "'; drop table users; --",
        '%s%n',
      ]) {
        const body = JSON.stringify(Object.fromEntries(fieldsOf(call).map((name) => [name, value])))
        await expectRefusal(call, value, await send(client, call, pathOf(call), body, 'application/json'))
      }
    }
  })

  test('with invalid files are rejected', async () => {
    expect.hasAssertions()
    const formOf = ({ requestBody }: Call) =>
      requestBody?.content['multipart/form-data']?.schema.properties ?? {}
    const isFile = ({ format }: Schema) => format === 'binary'
    // A form of texts alone is accepted by calls that take no file.
    for (const call of withBody().filter((each) => Object.values(formOf(each)).some(isFile))) {
      for (const content of ['', 'text', '\0\0', '<svg onload=alert(1)>']) {
        const form = new FormData()
        for (const [name, schema] of Object.entries(formOf(call)))
          form.set(name, isFile(schema) ? new Blob([content]) : 'word@example')
        form.set('constructor', new Blob(['x']))
        const response = await send(client, call, pathOf(call), form)
        await expectRefusal(call, `files that read ${content}`, response, 0)
      }
    }
  })
})

test('the site still works afterwards', async () => {
  // some of the settings above were valid
  await changeSettings(site.context, null, { registrationProofOfWork: false })
  const { status } = await (await signUp(site)).client.get('/api/v1/users/currentuser')
  expect(status).toBe(200)
})
