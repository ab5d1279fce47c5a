import { clipId, videoId } from '@kinora/contract/examples/samples.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { deleteAnyClips } from '@kinora/contract/operations/moderation.ts'
import { createReport, getReport } from '@kinora/contract/operations/reports.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import {
  createClip,
  deleteClip,
  getClip,
  getClipPolicy,
  listOwnClips,
  listReceivedClips,
  putClipPolicy,
  renameClip,
} from '@kinora/contract/watching/clips.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, rejection, reply, signOut } from '../../../testing/site.tsx'

const clip = exampleData(getClip)
const [details] = exampleData(getVideo)
const menu = page.getByRole('button', { name: `More actions: ${clip.title}` })

test('a member marks a part of a video by fields and keys, and makes a clip', async () => {
  await openPage(`/video/${videoId}?t=540`)
  await page.getByRole('button', { name: 'More actions', exact: true }).first().click()
  await page.getByRole('button', { name: 'Clip', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Make a clip' })
  await expect.element(panel.getByRole('heading', { name: 'Make a clip' })).toHaveFocus()
  const start = panel.getByRole('textbox', { name: 'Start of the clip' })
  const end = panel.getByRole('textbox', { name: 'End of the clip' })
  await userEvent.fill(start, '9:00')
  await userEvent.keyboard('{Enter}')
  await expect.element(start).toHaveValue('9:00.0')
  await userEvent.fill(end, '9:35.5')
  await userEvent.keyboard('{Enter}')
  await expect.element(panel.getByText('0:35.5 long, at most 3:00')).toBeVisible()
  ;(panel.getByRole('slider', { name: 'Where the clip ends' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(end).toHaveValue('9:35.6')
  await userEvent.fill(end, '11:00')
  await userEvent.keyboard('{Enter}')
  await userEvent.fill(end, '15:00')
  await userEvent.keyboard('{Enter}')
  await expect.element(end).toHaveValue('12:01.4')
  await expect.element(start).toHaveValue('9:01.4')
  await expect.element(panel.getByText(/^The start moved, too/)).toBeVisible()
  await userEvent.fill(end, '8:00')
  await userEvent.keyboard('{Enter}')
  await expect.element(start).toHaveValue('7:59.0')
  await userEvent.fill(start, '9:01.4')
  await userEvent.keyboard('{Enter}')
  await expect.element(panel.getByText(/^The end moved, too/)).toBeVisible()
  await userEvent.fill(end, '12:01.4')
  await userEvent.keyboard('{Enter}')
  await userEvent.fill(panel.getByRole('textbox', { name: 'Title of the clip' }), clip.title)
  reply(getClip, clip)
  await panel.getByRole('button', { name: 'Make clip' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: clip.title })).toBeVisible()
  expect(callsOf(createClip)).toMatchObject([
    { body: { videoId, title: clip.title, startSeconds: 541.4, endSeconds: 721.4 } },
  ])
})

test('visitors and viewers of a video whose owner allows no clips make none', async () => {
  if (details) reply(getVideo, [{ ...details, clipsAllowed: false }])
  await openPage(`/video/${videoId}`)
  await page.getByRole('button', { name: 'More actions', exact: true }).first().click()
  await expect.element(page.getByRole('button', { name: 'Report' }).first()).toBeVisible()
  expect(page.getByRole('button', { name: 'Clip', exact: true }).query()).toBeNull()
})

test('the page of a clip leads to its place in the video and offers its address', async () => {
  signOut()
  reply(getClip, { ...clip, isOwn: false, mayRemove: false })
  await openPage(`/clip/${clipId}`)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(clip.title)
  await expect
    .element(page.getByRole('link', { name: 'Watch from here' }))
    .toHaveAttribute('href', `/video/${videoId}?t=540`)
  expect(menu.query()).toBeNull()
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await expect.element(dialog.getByText(`${location.origin}/clip/${clipId}`, { exact: true })).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Embed on another site' }).click()
  await expect.element(dialog.getByText(new RegExp(`/embed/clip/${clipId}"`))).toBeVisible()
})

test('a member reports the clip of somebody else', async () => {
  reply(getClip, { ...clip, isOwn: false, mayRemove: false })
  await openPage(`/clip/${clipId}`)
  await menu.click()
  await page.getByRole('button', { name: 'Report', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this clip' })
  await dialog.getByRole('radio', { name: 'Harassment or bullying' }).click()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect.element(dialog.getByText(/Thank you/)).toBeVisible()
  expect(callsOf(createReport)).toMatchObject([
    { body: { kind: 'clip', subjectId: clipId, reason: 'harassment' } },
  ])
})

test('a moderator removes the clip of somebody else for a reason', async () => {
  reply(getCurrentUser, { ...exampleData(getCurrentUser), role: 'moderator' })
  reply(getClip, { ...clip, isOwn: false, mayRemove: false })
  await openPage(`/clip/${clipId}`)
  await menu.click()
  await page.getByRole('button', { name: 'Remove…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove a clip' })
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Reason' }), 'Be kind')
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect
    .poll(() => callsOf(deleteAnyClips))
    .toMatchObject([{ body: { ids: [clipId], reason: 'Be kind' } }])
})

test('a dismissed report does not claim that the clip is still there', async () => {
  const report = { kind: 'clip', isConcerned: false, decision: 'dismiss', note: '', answer: null } as const
  reply(getReport, { ...exampleData(getReport), ...report })
  await openPage('/report/12')
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'The clip was not removed' }))
    .toBeVisible()
})

test('the page of a clip that is gone says so', async () => {
  signOut()
  reply(getClip, () => rejection('not_found'))
  await openPage(`/clip/${clipId}`)
  await expect.element(page.getByText('This clip isn’t available any more')).toBeVisible()
  await openPage(`/embed/clip/${clipId}`)
  await expect.element(page.getByText('This clip isn’t available any more')).toBeVisible()
})

test('its maker renames and removes a clip in a list', async () => {
  let clips = [clip]
  reply(listOwnClips, () => ({ items: clips, nextCursor: null }))
  reply(renameClip, ({ body }) => {
    clips = [{ ...clip, title: String(body['title']) }]
    return { ...clip, title: String(body['title']) }
  })
  reply(deleteClip, () => {
    clips = []
    return null
  })
  await openPage('/clips')
  await menu.click()
  await page.getByRole('button', { name: 'Rename…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename the clip' })
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Title' }), 'Second light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('link', { name: 'Second light' })).toBeVisible()
  await page.getByRole('button', { name: 'More actions: Second light' }).click()
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(page.getByText('No clips yet')).toBeVisible()
  expect(callsOf(deleteClip)).toHaveLength(1)
})

test('a list has clips that nobody can play, to remove them', async () => {
  const times = { startSeconds: null, endSeconds: null }
  const hidden = { ...clip, ...times, _id: 'hidden', title: 'Hidden', video: null }
  const cut = { ...clip, ...times, _id: 'cut', title: 'Cut' }
  reply(listOwnClips, { items: [clip, hidden, cut], nextCursor: null })
  await openPage('/clips')
  await expect.element(page.getByText('Its video isn’t available to you')).toBeVisible()
  await expect.element(page.getByText(`This part is no longer in ${clip.video.title}`)).toBeVisible()
  for (const title of ['Hidden', 'Cut'])
    expect(page.getByRole('link', { name: title, exact: true }).query()).toBeNull()
  await page.getByRole('button', { name: 'More actions: Hidden' }).click()
  await expect.element(page.getByRole('button', { name: 'Remove…' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Rename…' }).query()).toBeNull()
})

test('the Studio lists clips of others, and where they may be made', async () => {
  reply(listReceivedClips, { items: [clip], nextCursor: null })
  await openPage('/studio/clips')
  await expect.element(page.getByRole('link', { name: `@${clip.maker.username}` })).toBeVisible()
  await menu.click()
  await expect.element(page.getByRole('button', { name: 'Remove…' })).toBeVisible()
  reply(getClipPolicy, { own: 'default', channel: 'default' })
  reply(putClipPolicy, { own: 'off', channel: 'default' })
  await openPage(`/studio/${videoId}`)
  const section = page.getByRole('region', { name: 'Clips' })
  const choice = section.getByLabelText('Who may make clips')
  await expect.element(choice).toHaveDisplayValue('As the channel: While a video is public')
  await choice.selectOptions('Nobody')
  await section.getByRole('button', { name: 'Apply' }).click()
  await expect.element(section.getByText('Saved')).toBeVisible()
  expect(callsOf(putClipPolicy)).toMatchObject([{ body: { clips: 'off' } }])
})
