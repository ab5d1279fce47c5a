import { videoId } from '@kinora/contract/examples/samples.ts'
import {
  getChannelIntros,
  getVideoIntros,
  putChannelIntros,
  putVideoIntros,
} from '@kinora/contract/videos/intros.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, rejection, reply } from '../../../testing/site.tsx'

const example = exampleData(getChannelIntros)
const [opening] = example.choices
const closing = { _id: 'closing', title: 'Closing titles', duration: 4, isPlayable: true }
const choices = opening ? [opening, closing] : []
const section = page.getByRole('region', { name: 'Intro and outro' })
const intro = section.getByRole('combobox', { name: 'Intro' })
const outro = section.getByRole('combobox', { name: 'Outro' })
const apply = section.getByRole('button', { name: 'Apply' })

test('an owner chooses an intro and an outro for the channel', async () => {
  reply(getChannelIntros, { introId: null, outroId: null, choices })
  reply(putChannelIntros, { introId: null, outroId: closing._id, choices })
  await openPage('/account/channel')
  await outro.selectOptions('Closing titles (00:04)')
  await apply.click()
  await expect.element(section.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  expect(callsOf(putChannelIntros)).toMatchObject([{ body: { introId: null, outroId: closing._id } }])
  await expect.element(outro).toHaveValue(closing._id)
})

test('an owner removes an intro that is not played any more, and sees why it is not', async () => {
  reply(getChannelIntros, { ...example, choices: choices.map((each) => ({ ...each, isPlayable: false })) })
  await openPage('/account/channel')
  await expect.element(intro).toHaveAccessibleDescription(/not played at the moment/)
  await intro.selectOptions('None')
  await apply.click()
  expect(callsOf(putChannelIntros)).toMatchObject([{ body: { introId: null, outroId: null } }])
})

test('says what is missing while the channel has no short video', async () => {
  reply(getChannelIntros, { introId: null, outroId: null, choices: [] })
  await openPage('/account/channel')
  await expect.element(section.getByText(/at most 30 seconds to choose/)).toBeVisible()
  expect(apply.query()).toBeNull()
})

test('a refused choice is shown at its field', async () => {
  reply(getChannelIntros, { introId: null, outroId: null, choices })
  reply(putChannelIntros, () => rejection('invalid', 'Choose a published video'))
  await openPage('/account/channel')
  await intro.selectOptions('Closing titles (00:04)')
  await apply.click()
  await expect.element(section.getByRole('alert')).toHaveTextContent('Choose a published video')
})

test('an editor switches them off for one video', async () => {
  reply(getVideoIntros, { isOn: true, channelHasAny: true })
  reply(putVideoIntros, { isOn: false, channelHasAny: true })
  await openPage(`/studio/${videoId}`)
  const choice = section.getByRole('checkbox')
  await expect.element(choice).toBeChecked()
  await choice.click()
  await apply.click()
  await expect.element(section.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  expect(callsOf(putVideoIntros)).toMatchObject([{ body: { isOn: false } }])
})

test('channels without them are not asked', async () => {
  reply(getVideoIntros, { isOn: true, channelHasAny: false })
  await openPage(`/studio/${videoId}`)
  await expect.element(page.getByRole('region', { name: 'Embedding' })).toBeVisible()
  await expect.poll(() => callsOf(getVideoIntros).length).toBe(1)
  expect(section.query()).toBeNull()
})
