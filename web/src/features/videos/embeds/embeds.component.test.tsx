import {
  type EmbedPolicy,
  getChannelEmbeds,
  getVideoEmbeds,
  putChannelEmbeds,
  putVideoEmbeds,
} from '@kinora/contract/videos/embeds.ts'
import { embedRefusedMeta } from '@kinora/contract/videos/embed.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, openPage, reply } from '../../../testing/site.tsx'

const channel: EmbedPolicy = { allowed: 'everywhere', sites: [] }
const saved = () => callsOf(putVideoEmbeds).map(({ body }) => body['own'])

test('the owner chooses the sites, or leaves it to the channel', async () => {
  reply(getVideoEmbeds, { own: null, channel })
  reply(putVideoEmbeds, ({ body }) => ({ own: body['own'] as EmbedPolicy | null, channel }))
  await openPage('/studio/hT5mQ2xWc9RkB7fL')
  const section = page.getByRole('region', { name: 'Embedding' })
  const choice = section.getByLabelText('Sites that may embed')
  await expect.element(choice).toHaveDisplayValue('As the channel: Every site')
  await choice.selectOptions('These sites only')
  await userEvent.fill(section.getByLabelText('Sites', { exact: true }), 'club.example\n*.school.example')
  await section.getByRole('button', { name: 'Apply' }).click()
  await expect.element(section.getByText('Saved')).toBeVisible()
  await choice.selectOptions('As the channel: Every site')
  await section.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(saved).toEqual([{ allowed: 'sites', sites: ['club.example', '*.school.example'] }, null])
})

test('the owner chooses the sites of the channel in the settings', async () => {
  reply(getChannelEmbeds, channel)
  reply(putChannelEmbeds, ({ body }) => body as EmbedPolicy)
  await openPage('/account/channel')
  const section = page.getByRole('region', { name: 'Embedding' })
  await expect.element(section.getByLabelText('Sites that may embed')).toHaveDisplayValue('Every site')
  await section.getByLabelText('Sites that may embed').selectOptions('No site')
  await section.getByRole('button', { name: 'Apply' }).click()
  await expect.element(section.getByText('Saved')).toBeVisible()
  expect(callsOf(putChannelEmbeds)).toMatchObject([{ body: { allowed: 'nowhere', sites: [] } }])
})

test('a page that may not embed the video shows a link to it, and loads nothing', async () => {
  const meta = document.head.appendChild(document.createElement('meta'))
  meta.name = embedRefusedMeta
  onTestFinished(() => meta.remove())
  await openPage('/embed/hT5mQ2xWc9RkB7fL')
  await expect.element(page.getByText('This site may not show this video')).toBeVisible()
  const link = page.getByRole('link', { name: 'Open the video' })
  await expect.element(link).toHaveAttribute('href', '/video/hT5mQ2xWc9RkB7fL')
  expect(callsOf(getVideo)).toEqual([])
})
