import { addComment } from '@kinora/contract/conversation/comments.ts'
import { register } from '@kinora/contract/accounts/registrations.ts'
import { updateDetails } from '@kinora/contract/accounts/emails.ts'
import { updateVideo } from '@kinora/contract/videos/videos.ts'
import { uploadVideo } from '@kinora/contract/videos/uploads.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { drawPicture, registrationForm, signUp } from '../../testing/fixtures/test-users.ts'
import { addVideo } from '../../testing/fixtures/test-videos.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    constants: {
      titleMaxCharacters: 10,
      descriptionMaxCharacters: 20,
      commentMaxCharacters: 30,
      nameMaxCharacters: 12,
      pictureMaxMegapixels: 1,
      pictureMaxBytes: 1024 ** 2,
    },
  })
})
afterAll(() => site.close())

const long = (characters: number) => 'x'.repeat(characters)

test('limits the length of texts by the settings', async () => {
  const { client, user } = await signUp(site, { fullname: long(12), username: 'twelveletter' })
  const id = await addVideo(site, user._id)
  const details = (fields: object) => client.patch(`/api/v1/video/${id}/details`, fields)
  const comment = (content: string) => client.post('/api/v1/comment/add', { videoId: id, content })
  expect((await details({ title: ` ${long(10)} `, description: long(20) })).status).toBe(200)
  expect((await comment(long(30))).status).toBe(201)
  const responses = [
    await details({ title: long(11) }),
    await details({ description: long(21) }),
    await comment(long(31)),
    await client.patch('/api/v1/users/updatedetails', { fullname: long(13) }),
    await site.client().post('/api/v1/users/register', await registrationForm({ username: long(13) })),
  ]
  expect(responses.map(({ status, body }) => [status, body.message, body.errors?.length])).toEqual([
    [400, 'Title may have at most 10 characters', 1],
    [400, 'Description may have at most 20 characters', 1],
    [400, 'Comment may have at most 30 characters', 1],
    [400, 'Full name may have at most 12 characters', 1],
    [400, 'Username may have at most 12 characters', 1],
  ])
})

test('reports too long texts together with other errors', async () => {
  const { client } = await signUp(site)
  const form = new FormData()
  form.set('title', long(11))
  const { status, body } = await client.post('/api/v1/video/upload', form)
  expect([status, body.errors?.map(({ path }) => path).toSorted()]).toEqual([400, ['description', 'title']])
})

test('limits the size of pictures by the settings', async () => {
  const avatarOf = async (avatar: Blob) => {
    const form = await registrationForm({ avatar })
    const { status, body } = await site.client().post('/api/v1/users/register', form)
    return [status, body.message]
  }
  expect(await avatarOf(await drawPicture(1001, 1000))).toEqual([
    400,
    'The picture has too many pixels: at most 1 million',
  ])
  expect(await avatarOf(new Blob([long(1024 ** 2 + 1)]))).toEqual([
    413,
    'The file is too large: at most 1 MB',
  ])
})

test('documents the configured limits in the API reference', async () => {
  const { text } = await site.client().get('/api/v1/openapi.json')
  const document = JSON.stringify(JSON.parse(text))
  for (const { name } of [addComment, register, updateDetails, updateVideo, uploadVideo]) {
    expect(document).toContain(name)
  }
  const lengths = [...document.matchAll(/"maxLength":(\d+)/g)].map(([, length]) => Number(length))
  expect(new Set(lengths)).toEqual(
    new Set([
      10, 12, 20, 30, 32, 35, 50, 60, 64, 80, 128, 200, 254, 300, 500, 1400, 2000, 4000, 4096, 5000, 8000,
      20_000, 200_000,
    ]),
  )
})
