import { describe, expect, it } from 'vitest'
import { call, parseResponse } from './client.ts'
import { addComment } from './conversation/comments.ts'
import { toggleVideoLike } from './conversation/likes.ts'
import { listVideos } from './videos/videos.ts'

const response = (status: number, body: string) => parseResponse(new Response(body, { status }))

describe('parseResponse', () => {
  it('requires only data', async () => {
    expect((await response(200, '{"data":[1]}')).data).toEqual([1])
    expect(
      (await response(201, '{"success":true,"statusCode":201,"message":"Made","data":null}')).data,
    ).toBeNull()
  })

  it('returns undefined for a successful response without data', async () => {
    expect((await response(200, '{}')).data).toBeUndefined()
    expect((await response(200, '')).data).toBeUndefined()
  })

  it("throws the server's message, code and field errors", async () => {
    const body =
      '{"success":false,"message":"Taken","code":"conflict","errors":[{"path":"email","message":"Taken"}]}'
    await expect(response(409, body)).rejects.toMatchObject({
      status: 409,
      message: 'Taken',
      code: 'conflict',
      errors: [{ path: 'email', message: 'Taken' }],
    })
    await expect(response(400, '{"message":"No"}')).rejects.toMatchObject({ status: 400, message: 'No' })
  })

  it.each([
    [502, '<html>Bad gateway</html>'],
    [200, '<html>A portal</html>'],
    [500, ''],
    [500, '{}'],
  ])('throws an empty message for a %i response that is not of the API: %s', async (status, body) => {
    await expect(response(status, body)).rejects.toMatchObject({ name: 'ApiError', status, message: '' })
  })
})

describe('call', () => {
  it('sends changes without a body with keepalive', async () => {
    const inits: RequestInit[] = []
    const send = (_path: string, init: RequestInit) => {
      inits.push(init)
      return Promise.resolve(new Response('{"data":[]}'))
    }
    await call(toggleVideoLike, { params: { id: 'v' } }, send)
    await call(listVideos, { query: {} }, send)
    await call(addComment, { body: { videoId: 'v', content: 'Long' } }, send)
    expect(inits.map(({ keepalive }) => keepalive)).toEqual([true, undefined, undefined])
  })

  it.each(['{"data":null}', '{"data":{}}', '{}'])('throws for a malformed list: %s', async (body) => {
    const send = () => Promise.resolve(new Response(body))
    await expect(call(listVideos, { query: {} }, send)).rejects.toMatchObject({
      name: 'ApiError',
      message: '',
    })
  })
})
