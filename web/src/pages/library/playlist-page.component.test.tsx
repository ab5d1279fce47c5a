import { getPlaylist } from '@kinora/contract/watching/playlists.ts'
import { createPlaylistLink, listPlaylistLinks } from '@kinora/contract/watching/shared-playlists.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const playlist = exampleData(getPlaylist)
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('the owner of a playlist makes a link for people without an account', async () => {
  const { _id, username, fullname, avatar } = exampleData(getCurrentUser)
  reply(getPlaylist, { ...playlist, visibility: 'private', owner: { _id, username, fullname, avatar } })
  reply(listPlaylistLinks, [])
  await openPage(`/playlist/${playlist._id}`)
  await button('Share links').click()
  await expect.element(button('Share links')).toHaveAttribute('aria-expanded', 'true')
  await button('Create a share link').click()
  await userEvent.fill(page.getByLabelText('Who gets it'), 'Class 4b')
  await button('Create link').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(callsOf(createPlaylistLink).map(({ params, body }) => [params, body])).toEqual([
    [{ playlistId: playlist._id }, { name: 'Class 4b', allowsDownload: false }],
  ])
})

test('somebody else sees no links', async () => {
  reply(getPlaylist, { ...playlist, owner: { ...playlist.owner, username: 'somebody' } })
  await openPage(`/playlist/${playlist._id}`)
  await expect.element(page.getByRole('heading', { level: 1, name: playlist.title })).toBeVisible()
  expect(button('Share links').elements()).toEqual([])
})
