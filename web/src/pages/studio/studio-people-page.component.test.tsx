import {
  acceptCollaboration,
  type CollaboratedChannel,
  type Collaborator,
  deleteCollaborator,
  listActivity,
  listCollaborations,
  listCollaborators,
  putCollaborator,
} from '@kinora/contract/videos/collaborators.ts'
import { acceptHandover, deleteHandover, listHandovers } from '@kinora/contract/videos/handovers.ts'
import { deleteOwnVideos, listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const people = page.getByRole('list', { name: 'People of this channel' })
const [person] = exampleData(listCollaborators)
const [channel] = exampleData(listCollaborations)
const [offer] = exampleData(listHandovers)

let collaborators: Collaborator[]
let channels: CollaboratedChannel[]

beforeEach(() => {
  collaborators = []
  channels = []
  reply(listCollaborators, () => collaborators)
  reply(listCollaborations, () => channels)
  reply(listActivity, () => ({ items: [], nextCursor: null }))
  reply(listHandovers, () => [])
})

test('somebody is invited, gets another role, and is removed', async () => {
  reply(putCollaborator, ({ body }) => {
    collaborators = [{ ...person!, isInvited: true, role: body['role'] === 'manager' ? 'manager' : 'editor' }]
    return collaborators
  })
  reply(deleteCollaborator, () => (collaborators = []))
  await openPage('/studio/people')
  await expect.element(page.getByRole('heading', { name: 'Nobody else works here' })).toBeVisible()
  await button('Invite').click()
  await expect.element(page.getByText('Enter a username')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Username', { exact: true }), '@jonas')
  await userEvent.selectOptions(page.getByLabelText('Role'), 'manager')
  await button('Invite').click()
  await expect.element(people.getByText('Invited')).toBeVisible()
  await expect.element(people.getByText(/Manager/)).toBeVisible()
  await button(`${person!.person.fullname}: Make an editor`).click()
  await expect.element(people.getByText(/Editor/)).toBeVisible()
  await button(`Withdraw the invitation of ${person!.person.fullname}`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect.element(people).not.toBeInTheDocument()
  expect(callsOf(putCollaborator).map(({ params, body }) => [params['username'], body])).toEqual([
    ['jonas', { role: 'manager' }],
    ['jonas', { role: 'editor' }],
  ])
})

test('an invitation is accepted, and the channel is in the list of channels', async () => {
  channels = [{ ...channel!, isInvited: true }]
  reply(acceptCollaboration, () => (channels = [{ ...channel!, isInvited: false }]))
  await openPage('/studio/people')
  const accept = button(`Accept the invitation of ${channel!.channel.fullname}`)
  await expect.element(accept).toBeVisible()
  await accept.click()
  await userEvent.selectOptions(page.getByLabelText('Channel', { exact: true }), channel!.channel.username)
  await expect
    .poll(() => callsOf(listCollaborators).at(-1)?.query)
    .toEqual({ channel: channel!.channel.username })
  // an editor invites nobody
  await expect.element(button('Invite')).not.toBeInTheDocument()
})

test('editors delete no videos, managers do', async () => {
  const show = async (role: 'editor' | 'manager') => {
    channels = [{ ...channel!, role, isInvited: false }]
    await openPage(`/studio?channel=${channel!.channel.username}`)
    await page.getByRole('checkbox', { name: /^Select Salt/ }).click()
  }
  await show('editor')
  await expect.element(button('Make private')).toBeVisible()
  await expect.element(button('Delete')).not.toBeInTheDocument()
  await show('manager')
  await button('Delete').click()
  await openPage('/about')
  await expect
    .poll(() => callsOf(deleteOwnVideos).map(({ query }) => query))
    .toEqual([{ channel: channel!.channel.username }])
  expect(callsOf(listOwnVideos).every(({ query }) => query['channel'] === channel!.channel.username)).toBe(
    true,
  )
})

test('a channel on which somebody does not work shows why', async () => {
  await openPage('/studio?channel=ines')
  await expect.element(page.getByRole('heading', { name: 'You do not work on this channel' })).toBeVisible()
})

test('an offer is taken over after a question, and an own one is withdrawn', async () => {
  let offers = [
    offer!,
    { ...offer!, _id: 'own', giver: offer!.receiver, receiver: offer!.giver, video: null },
  ]
  reply(listHandovers, () => offers)
  const end = (id: string | undefined) => (offers = offers.filter(({ _id }) => _id !== id))
  reply(acceptHandover, ({ params }) => end(params['handoverId']))
  reply(deleteHandover, ({ params }) => end(params['handoverId']))
  await openPage('/studio/people')
  await button(`Take over: ${offer!.video?.title}`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click()
  await expect.element(page.getByText(`On your channel now: ${offer!.video?.title}.`)).toBeVisible()
  await page.getByRole('button', { name: /^Withdraw the offer: All videos/ }).click()
  await expect.element(page.getByText(/^The offer has ended/)).toBeVisible()
})
