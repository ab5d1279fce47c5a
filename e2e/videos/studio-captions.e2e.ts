import { randomUUID } from 'node:crypto'
import { formatCueTime } from '@kinora/contract/videos/caption-cues.ts'
import type { Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { longClip, publish } from '../fixtures/clips.ts'
import { pauseOncePlaying, videoState } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const srt =
  '1\n00:00:00,000 --> 00:00:08,000\nThe tide goes out\n\n2\n00:00:12,000 --> 00:00:20,000\nIt turns\n'
const fileOf = (text: string) => ({ name: 'en.srt', mimeType: 'text/plain', buffer: Buffer.from(text) })

/** Adds captions of `count` sentences of equal length. */
async function addCaptions(
  page: Page,
  id: string,
  count: number,
  secondsEach: number,
): Promise<{ _id: string }> {
  const cues = Array.from({ length: count }, (_, n) => {
    const [start, end] = [n + 1, n + 2].map((place) => formatCueTime(place * secondsEach))
    return `${start} --> ${end}\nSentence ${n + 1}\n`
  })
  const captions = { ...fileOf(`WEBVTT\n\n${cues.join('\n')}`), name: 'en.vtt' }
  const added = await page.request.post(`/api/v1/studio/videos/${id}/captions`, {
    multipart: { language: 'en', captions },
  })
  return (await added.json()).data[0]
}

test('captions are added, edited beside the video, and read in the transcript', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, randomUUID(), { video: await longClip() })
  await page.goto(`/studio/${id}`)
  const section = page.getByRole('region', { name: 'Captions' })
  await section.getByText('This video has no captions yet.').waitFor()
  await section.getByLabel('Captions file').setInputFiles(fileOf('1\n00:00:01,000 --> soon\nSalt\n'))
  await section.getByLabel('Captions language').selectOption('en')
  await section.getByRole('button', { name: 'Add captions' }).click()
  await section.getByText('Line 2: The time "00:00:01,000 --> soon" cannot be read').waitFor()
  await section.getByLabel('Captions file').setInputFiles(fileOf(srt))
  await section.getByRole('button', { name: 'Add captions' }).click()
  await section.getByRole('link', { name: 'Edit English' }).click()

  await expect(page.getByLabel('Text of caption 2')).toHaveValue('It turns')
  await page.getByRole('button', { name: 'Split caption 1' }).click()
  await expect(page.getByLabel('Text of caption 2')).toHaveValue('goes out')
  await expect(page.getByLabel('Start of caption 2')).toHaveValue('00:00:04.000')
  await page.getByLabel('Text of caption 2').fill('comes in')
  await page.getByRole('button', { name: 'Merge caption 1 with the next' }).click()
  await expect(page.getByLabel('Text of caption 1')).toHaveValue('The tide\ncomes in')
  await page.getByLabel('Shift all by').fill('1')
  await page.getByRole('button', { name: 'Shift all' }).click()
  await expect(page.getByLabel('Start of caption 2')).toHaveValue('00:00:13.000')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save captions' }).click()
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()

  await page.goto(`/video/${id}`)
  await pauseOncePlaying(page)
  await page.getByRole('button', { name: 'Transcript', exact: true }).click()
  const transcript = page.getByRole('region', { name: 'Transcript' })
  await transcript.getByRole('button', { name: '00:13 It turns' }).click()
  await expect.poll(async () => (await videoState(page)).currentTime).toBeGreaterThanOrEqual(13)
  await expect(transcript.locator('[aria-current]')).toHaveText('00:13 It turns')
  await transcript.getByLabel('Find in the transcript').fill('COMES')
  await transcript.getByText('1 of 2').waitFor()
  await transcript.getByRole('button', { name: '00:01 The tide comes in' }).waitFor()
  expect(await findViolations(page)).toEqual([])
})

test('an edited track of the file becomes a copy, and is the track of the file again when deleted @nightly', async ({
  page,
}) => {
  await signIn(page)
  const id = await publish(page, randomUUID(), { video: await longClip({ eng: 'Good evening' }) })
  await page.goto(`/studio/${id}`)
  const section = page.getByRole('region', { name: 'Captions' })
  await section.getByText('en · found in the file').waitFor()
  await section.getByRole('link', { name: 'Edit English' }).click()
  await page.getByLabel('Text of caption 1').fill('Good morning')
  await page.getByRole('button', { name: 'Save captions' }).click()
  await expect(page).toHaveURL(/captions\/(?!file-)\w+$/)
  await page.getByRole('link', { name: 'Back to the video' }).click()
  await section.getByText('en · edited copy of a track of the file').waitFor()
  await section.getByRole('button', { name: 'Delete English' }).click()
  await section.getByText('en · found in the file').waitFor()
})

test('thousands of captions are edited one at a time, and leaving asks about unsaved changes @nightly', async ({
  page,
}) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  const count = 5000
  const track = await addCaptions(page, id, count, 1)
  await page.goto(`/studio/${id}/captions/${track._id}`)
  await expect(page.getByLabel('Text of caption 1', { exact: true })).toHaveValue('Sentence 1')
  expect(await page.getByRole('textbox').count()).toBeLessThan(count / 10)

  const last = page.getByLabel(`Text of caption ${count}`)
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await last.waitFor({ timeout: 1000 })
  }).toPass()
  await last.fill('The end')
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('link', { name: 'Back to the video' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Add a caption here' }).click()
  await expect(page.getByLabel('Text of caption 1', { exact: true })).toBeFocused()
  await page.keyboard.type('Here')
  await page.getByRole('button', { name: 'Save captions' }).click()
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  await page.getByRole('link', { name: 'Back to the video' }).click()
  await page.waitForURL(`**/studio/${id}`)
  const url = await page.getByRole('link', { name: 'Download English' }).getAttribute('href')
  const text = await (await page.request.get(url ?? '')).text()
  expect(text).toContain('\nHere\n')
  expect(text).toContain('\nThe end\n')
})

test('a transcript of thousands of lines follows the video, is searched, read by keyboard and copied @nightly', async ({
  page,
}) => {
  await signIn(page)
  const id = await publish(page, randomUUID(), { video: await longClip() })
  const count = 5000
  await addCaptions(page, id, count, 0.005)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/video/${id}`)
  await pauseOncePlaying(page)
  await page.getByRole('button', { name: 'Transcript', exact: true }).click()
  const transcript = page.getByRole('region', { name: 'Transcript' })
  const lines = transcript.getByRole('listitem')
  await page.locator('video').evaluate((video: HTMLVideoElement) => (video.currentTime = 12.5025))
  const current = transcript.getByRole('button', { name: 'Sentence 2500' })
  await expect(current).toHaveAttribute('aria-current', 'true')
  await expect(current).toBeInViewport()
  await expect(lines.filter({ hasText: 'Sentence 2500' })).toHaveAttribute('aria-posinset', '2500')
  await expect(lines.first()).toHaveAttribute('aria-setsize', String(count))
  expect(await lines.count()).toBeLessThan(count / 10)

  // The focused line stays focused while the list scrolls away from it, and Tab continues where the list is.
  await current.focus()
  for (let presses = 0; presses < 5; presses++) {
    const scroll = await transcript.evaluateHandle((region) => ({
      end: new Promise((resolve) =>
        region.addEventListener('scrollend', resolve, { capture: true, once: true }),
      ),
    }))
    await page.keyboard.press('PageDown')
    await scroll.evaluate(({ end }) => end.then(() => undefined))
  }
  await expect(current).not.toBeInViewport()
  await expect(current).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(lines.locator('button:focus')).toBeInViewport()
  await transcript.getByRole('button', { name: 'Follow the video' }).click()
  await expect(current).toBeInViewport()

  await transcript.getByLabel('Find in the transcript').fill('sentence 4999')
  await transcript.getByText(`1 of ${count}`).waitFor()
  await expect(lines).toHaveCount(1)
  await expect(lines).toHaveAttribute('aria-setsize', '1')
  await lines.getByRole('button').click()
  await expect.poll(async () => (await videoState(page)).currentTime).toBeGreaterThanOrEqual(24.99)
  await transcript.getByLabel('Find in the transcript').fill('')
  await expect(transcript.getByRole('button', { name: 'Sentence 4999' })).toBeInViewport()
  await transcript.getByRole('button', { name: 'Transcript to the clipboard' }).click()
  await transcript.getByText('The transcript is on the clipboard').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n')).toHaveLength(count)
})

test('captions typed while others are saved are saved with the next click @nightly', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, randomUUID())
  const added = await page.request.post(`/api/v1/studio/videos/${id}/captions`, {
    multipart: { language: 'en', captions: fileOf(srt) },
  })
  const [track] = (await added.json()).data
  await page.goto(`/studio/${id}/captions/${track._id}`)
  const first = page.getByLabel('Text of caption 1')
  const save = page.getByRole('button', { name: 'Save captions' })
  const saved = page.getByRole('status').filter({ hasText: 'Saved' })
  await first.fill('The tide turns')
  const typed = Promise.withResolvers<void>()
  await page.route(`**/captions/${track._id}`, async (route) => {
    await typed.promise
    await route.continue()
  })
  await save.click()
  await first.fill('The tide turns again')
  typed.resolve()
  await expect(save).toBeEnabled()
  await expect(saved).toHaveCount(0)
  await save.click()
  await saved.waitFor()
  const [{ url }] = (await (await page.request.get(`/api/v1/studio/videos/${id}/captions`)).json()).data
  expect(await (await page.request.get(url)).text()).toContain('The tide turns again')
})
