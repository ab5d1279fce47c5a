import cookie from '@fastify/cookie'
import fastCheck from 'fast-check'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { readSessionToken } from './session-cookie.ts'

test('finds the token among other cookies and ignores malformed ones', async () => {
  const app = fastify()
  await app.register(cookie)
  app.get('/', (request, reply) => reply.send({ token: readSessionToken(request) ?? null }))
  const read = async (header: string) =>
    (await app.inject({ url: '/', headers: { cookie: header } })).json<{ token: string | null }>().token

  const other = fastCheck
    .stringMatching(/^[a-z]{1,5}=[!#-+.-:<-[\]-~]{0,20}$/)
    .filter((pair) => !pair.startsWith('session='))
  const token = fastCheck.stringMatching(/^[\w-]{43}$/)
  await fastCheck.assert(
    fastCheck.asyncProperty(fastCheck.array(other, { maxLength: 4 }), token, async (others, value) => {
      expect(await read([...others, `session=${value}`].join('; '))).toBe(value)
      expect(await read([`session=${value}`, ...others].join(';'))).toBe(value)
    }),
  )
  await fastCheck.assert(
    fastCheck.asyncProperty(fastCheck.string(), async (value) => {
      const found = await read(`session=${value.replaceAll(/[^\x20-\x7e]/g, '')}`)
      expect(found ?? 'x'.repeat(43)).toMatch(/^[\w-]{43}$/)
    }),
  )
  expect(await read('session=')).toBeNull()
  expect(await read('Session=' + 'x'.repeat(43))).toBeNull()
  await app.close()
})
