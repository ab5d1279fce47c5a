import type { Failure } from '@kinora/contract/failure.ts'
import { failureExampleOf } from '@kinora/contract/examples.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { getLockedVideo, listLockedVideos, openLockedVideo } from '@kinora/contract/videos/share-links.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const refusal = ({ code, reason, message }: Failure, path?: string) => {
  const json = failureExampleOf({ code, reason, message }, {}, path)
  return Response.json(json, { status: json.statusCode })
}
const locked = exampleData(getLockedVideo)

test('a locked video shows its title, and plays once the password is right', async () => {
  reply(getLockedVideo, { ...locked, thumbnail: null })
  reply(openLockedVideo, ({ body }) =>
    body['password'] === 'seagull'
      ? exampleData(openLockedVideo)
      : body['password']
        ? refusal(videoErrors.sharePasswordWrong, 'password')
        : refusal(videoErrors.sharePasswordRequired),
  )
  await openPage(`/locked/${locked._id}`)
  await expect.element(page.getByRole('heading', { level: 1, name: locked.title })).toBeVisible()
  await userEvent.fill(page.getByLabelText('Password'), 'gull')
  await userEvent.keyboard('{Enter}')
  const wrong = page.getByText('This password is wrong')
  await expect.element(wrong.first()).toBeVisible()
  expect(wrong.elements()).toHaveLength(1)
  expect(document.querySelector('video')).toBeNull()
  await userEvent.fill(page.getByLabelText('Password'), 'seagull')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByLabelText('Password')).not.toBeInTheDocument()
  expect(callsOf(openLockedVideo).at(-1)?.params).toEqual({ id: locked._id })
})

test('locked videos are listed with the way to their page', async () => {
  reply(listLockedVideos, { items: exampleData(listLockedVideos), nextCursor: null })
  await openPage('/locked')
  await expect
    .element(page.getByRole('link', { name: locked.title }))
    .toHaveAttribute('href', `/locked/${locked._id}`)
})
