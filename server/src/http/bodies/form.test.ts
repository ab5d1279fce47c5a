import { readdir } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { registrationForm } from '../../testing/fixtures/test-users.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { LOG_LEVEL: 'silent' } })
})
afterAll(() => site.close())

const boundary = 'x-kinora'
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])

/** A form as a browser sends it, with an invalid picture, so that no account is created. */
async function wholeForm(): Promise<Buffer> {
  const texts = [...(await registrationForm())].filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  )
  return Buffer.concat([
    ...texts.map(([name, value]) => part(`Content-Disposition: form-data; name="${name}"`, value)),
    part(
      'Content-Disposition: form-data; name="avatar"; filename="a.png"\r\nContent-Type: image/png',
      'no picture',
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ])
}

/** Bytes with a meaning in multipart bodies. */
const splinters = fc.oneof(
  fc.constantFrom(
    `--${boundary}`,
    `\r\n--${boundary}\r\n`,
    `--${boundary}--`,
    '\r\n',
    '\r\n\r\n',
    '\r',
    '\n',
    '--',
    '"',
    ';',
    '\0',
    '%',
    'Content-Disposition: form-data; name="',
    'Content-Disposition: form-data; name="__proto__"\r\n\r\nx',
    'Content-Disposition: form-data; name="constructor"; filename="x"\r\n\r\nx',
    'Content-Disposition: attachment',
    "Content-Disposition: form-data; name=avatar; filename*=utf-8''%ff%zz",
    'Content-Disposition: form-data; name="avatar"; filename="../../../../etc/passwd"',
    'Content-Type: multipart/mixed; boundary=x-kinora',
    'Content-Transfer-Encoding: base64',
    `X: ${'x'.repeat(20_000)}`,
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(200), put: splinters })

test(
  'refuses a form that is malformed at any byte, and keeps none of its files',
  { timeout: 300_000 },
  async () => {
    const form = await wholeForm()
    const send = async (body: Buffer, type = `multipart/form-data; boundary=${boundary}`) => {
      const { status, text } = await site
        .client()
        .fetch('/api/v1/users/register', {
          method: 'POST',
          headers: { 'content-type': type },
          body: new Uint8Array(body),
        })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
      expect(status, text).toBeGreaterThanOrEqual(400)
      expect(status, text).toBeLessThan(500)
      expect(JSON.parse(text)).toMatchObject({ success: false, statusCode: status })
    }
    await send(form)
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const body = changes.reduce((bytes, { at, cut, put }) => {
          const from = Math.floor(at * bytes.length)
          return Buffer.concat([
            bytes.subarray(0, from),
            Buffer.from(put, 'latin1'),
            bytes.subarray(from + cut),
          ])
        }, form)
        await send(body)
      }),
      { numRuns: 250 },
    )
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary="',
    ])
      await send(form, type)
    const incoming = path.join(site.context.config.dataDir, 'incoming')
    await vi.waitUntil(async () => (await readdir(incoming)).length === 0, { timeout: 60_000 })
  },
)
