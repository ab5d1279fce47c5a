import { createShareLink, deleteShareLink, listShareLinks } from '@kinora/contract/videos/share-links.ts'
import { getOwnVideo } from '@kinora/contract/videos/studio.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../../testing/site.tsx'

const [example] = exampleData(listShareLinks)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const { _id: id } = exampleData(getOwnVideo)

test('a link is created with its conditions, copied and revoked', async () => {
  let links: (typeof example)[] = []
  reply(listShareLinks, () => links.flatMap((link) => link ?? []))
  reply(createShareLink, () => {
    links = [example]
    return example!
  })
  reply(deleteShareLink, () => {
    links = []
    return null
  })
  await openPage(`/studio/${id}`)
  await button('Create a share link').click()
  await userEvent.fill(page.getByLabelText('Who gets it'), 'Class 4b')
  await userEvent.fill(page.getByLabelText('Password (optional)'), 'seagull')
  await userEvent.fill(page.getByLabelText('Ends (optional)'), '2026-05-08T18:00')
  await userEvent.fill(page.getByLabelText('Number of viewers (optional)'), '30')
  await page.getByLabelText('Viewers may download the uploaded file').click()
  await button('Create link').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(callsOf(createShareLink).map(({ body }) => body)).toEqual([
    {
      name: 'Class 4b',
      password: 'seagull',
      expiresAt: new Date('2026-05-08T18:00').toISOString(),
      maxViewers: 30,
      allowsDownload: true,
    },
  ])
  await expect.element(page.getByText(/^23 viewers · .* · with a password · /)).toBeVisible()
  await button('Revoke the link for Class 4b').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect.element(button('Revoke the link for Class 4b')).not.toBeInTheDocument()
  expect(callsOf(deleteShareLink).map(({ params }) => params['linkId'])).toEqual([example!._id])
})
