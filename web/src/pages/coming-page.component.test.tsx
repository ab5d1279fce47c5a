import { listComing } from '@kinora/contract/live/coming.ts'
import { getChannelProfile } from '@kinora/contract/watching/channels.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply, signOut } from '../testing/site.tsx'

const [announced] = exampleData(listComing)
const running = { ...announced!, _id: 'kD8wLq2nTz5VfB3x', title: 'Harbour', isNow: true, isReminded: false }

test('lists what is live, and what was announced with its time', async () => {
  reply(listComing, [running, announced!])
  await openPage('/live')
  const now = page.getByRole('region', { name: 'Now' })
  await expect.element(now.getByRole('link', { name: 'Harbour' })).toBeVisible()
  await expect.element(now.getByText('Live', { exact: true })).toBeVisible()
  const coming = page.getByRole('region', { name: 'Upcoming' })
  await expect.element(coming.getByRole('time')).toHaveAttribute('datetime', announced!.startsAt)
  await expect.element(coming.getByText('You will be reminded.')).toBeInTheDocument()
  await page.getByRole('link', { name: 'Subscriptions', exact: true }).last().click()
  await expect.poll(() => callsOf(listComing).at(-1)).toMatchObject({ query: { subscribed: 'true' } })
})

test('says where nothing comes', async () => {
  signOut()
  reply(listComing, [])
  await openPage('/live')
  await expect.element(page.getByText('Nothing is live or announced')).toBeVisible()
})

test('a channel shows what it has announced', async () => {
  reply(getChannelProfile, { ...exampleData(getChannelProfile), hasComing: true })
  reply(listComing, [running, announced!])
  await openPage('/c/ines/videos')
  const coming = page.getByRole('region', { name: 'Upcoming' })
  await expect.element(coming.getByRole('link', { name: announced!.title })).toBeVisible()
  expect(callsOf(listComing)).toMatchObject([{ query: { channel: 'ines' } }])
  await expect.element(coming.getByRole('link', { name: 'Harbour' })).not.toBeInTheDocument()
})
