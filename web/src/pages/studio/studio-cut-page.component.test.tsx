import { failureExampleOf } from '@kinora/contract/examples.ts'
import {
  deleteCut,
  deleteRemovedParts,
  getCut,
  keepRemovedParts,
  putCut,
} from '@kinora/contract/videos/cuts.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { getOwnVideo } from '@kinora/contract/videos/studio.ts'
import { getWaveform, requestWaveform } from '@kinora/contract/videos/waveforms.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, disconnect, exampleData, openPage, rejection, reply } from '../../testing/site.tsx'

const { uncutStreamUrl: _, ...example } = exampleData(getCut)
const whole = { startSeconds: 0, endSeconds: 100 }
const cut = {
  ...example,
  uncutStreamUrl: '/media/uncut.m3u8',
  sourceDurationSeconds: 100,
  durationSeconds: 100,
  framesPerSecond: 25,
  keep: [whole],
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const part = (index: number) => ({
  start: field(`Start of removed part ${index}`),
  end: field(`End of removed part ${index}`),
})
const publish = button('Publish the cut')

beforeEach(() => {
  reply(getCut, cut)
  reply(putCut, ({ body }) => ({ ...cut, ...published(body['keep'] as (typeof cut)['keep']) }))
})

const published = (keep: (typeof cut)['keep']) => ({
  keep,
  durationSeconds: keep.reduce((sum, range) => sum + range.endSeconds - range.startSeconds, 0),
  publishedAt: '2026-05-04T08:00:00.000Z',
  changedAt: '2026-05-04T08:00:00.000Z',
})

async function open() {
  await openPage('/studio/hT5mQ2xWc9RkB7fL/cut')
  await expect.element(page.getByRole('slider', { name: 'Position' })).toBeInTheDocument()
}

/** Goes to a time and presses keys there, as people without a mouse do. */
async function pressAt(time: string, ...keys: string[]) {
  await field('Go to').fill(time)
  await userEvent.keyboard('{Enter}')
  for (const key of keys) await userEvent.keyboard(key)
}

describe('by keyboard', () => {
  test('marks, removes, undoes, redoes and publishes', async () => {
    await open()
    await expect.element(publish).toBeDisabled()
    await pressAt('0:10', 'i')
    await pressAt('0:20.02', 'o')
    await expect.element(page.getByText('Selected: 0:10.0 to 0:20.0, 0:10.0 long')).toBeInTheDocument()
    await userEvent.keyboard('x')
    await expect.element(part(1).start).toHaveValue('0:10.000')
    // the closest frame
    await expect.element(part(1).end).toHaveValue('0:20.040')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.element(part(1).start).not.toBeInTheDocument()
    await expect.element(field('Start of the selection')).toHaveValue('0:10.000')
    await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
    await expect.element(part(1).start).toHaveValue('0:10.000')

    await publish.click()
    await expect.element(page.getByText('Published', { exact: true })).toBeInTheDocument()
    expect(callsOf(putCut)[0]?.body).toEqual({
      changedAt: null,
      keep: [
        { startSeconds: 0, endSeconds: 10 },
        { startSeconds: 20.04, endSeconds: 100 },
      ],
    })
    await expect.element(publish).toBeDisabled()
  })

  test('steps by frames and seconds, and restores the part at the position', async () => {
    reply(getCut, { ...cut, ...published([{ startSeconds: 8, endSeconds: 100 }]) })
    await open()
    await pressAt('0:08', '.', '.', ',')
    await expect.element(field('Go to')).toHaveValue('0:08.040')
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}{ArrowLeft}')
    await expect.element(field('Go to')).toHaveValue('0:07.000')
    await userEvent.keyboard('r')
    await expect.element(page.getByText(/Nothing is removed yet/)).toBeInTheDocument()
  })

  test('one mark is enough to remove the beginning, or to keep it alone', async () => {
    await open()
    await pressAt('0:08', 'o', 'x')
    await expect.element(part(1).start).toHaveValue('0:00.000')
    await expect.element(part(1).end).toHaveValue('0:08.000')
    await userEvent.keyboard('{Control>}z{/Control}{Control>}z{/Control}')
    await pressAt('0:30', 'o', 'e')
    await expect.element(part(1).start).toHaveValue('0:30.000')
    await expect.element(part(1).end).toHaveValue('1:40.000')
  })
})

describe('by pointer', () => {
  test('dragging selects, an edge changes a removed part, and a click goes there', async () => {
    await open()
    const line = page.getByRole('slider', { name: 'Position' }).element()
    const { left, bottom, width } = line.getBoundingClientRect()
    const tracks = line.nextElementSibling
    const at = (seconds: number) => left + (seconds / 100) * width
    const fire = (target: Element | null | undefined, type: string, seconds: number) =>
      target?.dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          button: 0,
          pointerId: 1,
          pointerType: 'mouse',
          clientX: at(seconds),
          clientY: bottom + 80,
        }),
      )
    HTMLElement.prototype.setPointerCapture = () => undefined
    fire(tracks, 'pointerdown', 40)
    fire(tracks, 'pointermove', 50)
    fire(tracks, 'pointermove', 60)
    fire(tracks, 'pointerup', 60)
    await expect.element(field('Start of the selection')).toHaveValue('0:40.000')
    await button('Remove').click()
    await expect.element(part(1).end).toHaveValue('1:00.000')

    const edge = await vi.waitUntil(() => document.querySelector('[data-edge="end"]'), 30_000)
    fire(edge, 'pointerdown', 60)
    fire(edge, 'pointermove', 70)
    fire(edge, 'pointerup', 70)
    await expect.element(part(1).end).toHaveValue('1:10.000')
    await expect.element(part(1).start).toHaveValue('0:40.000')

    fire(tracks, 'pointerdown', 20)
    fire(tracks, 'pointerup', 20)
    await expect.element(field('Go to')).toHaveValue('0:20.000')
    await expect.element(field('Start of the selection')).toHaveValue('')
  })

  test('a long video is zoomed to single frames, around the position', async () => {
    reply(getCut, {
      ...cut,
      sourceDurationSeconds: 14_400,
      keep: [{ startSeconds: 0, endSeconds: 14_400 }],
    })
    await open()
    await pressAt('2:00:00')
    for (let times = 0; times < 13; times++) await button('Zoom in').click()
    await expect.element(button('Zoom in')).toBeDisabled()
    await expect.element(page.getByText('2:00:00.2', { exact: true })).toBeInTheDocument()
    expect(document.querySelectorAll('[class*="tick"]').length).toBeLessThan(80)
    await button('Whole video').click()
    await expect.element(button('Zoom out')).toBeDisabled()
  })
})

test('the times of a removed part are changed as text, and it is restored', async () => {
  reply(getCut, {
    ...cut,
    ...published([
      { startSeconds: 0, endSeconds: 10 },
      { startSeconds: 20, endSeconds: 100 },
    ]),
  })
  await open()
  await part(1).end.fill('0:25.5')
  await userEvent.keyboard('{Enter}')
  await expect.element(part(1).end).toHaveValue('0:25.520')
  await part(1).start.fill('soon')
  await expect.element(part(1).start).toHaveAttribute('aria-invalid', 'true')
  await userEvent.tab()
  await expect.element(page.getByText(/^This is no time/)).toBeVisible()
  await part(1).start.fill('0:30')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('The end must be after the start.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(part(1).start).toHaveValue('0:10.000')
  await expect.element(page.getByRole('slider', { name: 'Position' })).toHaveFocus()
  await button('Restore part 1').click()
  await expect.element(part(1).start).not.toBeInTheDocument()
  // nothing is cut any more
  reply(deleteCut, cut)
  await publish.click()
  await expect.poll(() => callsOf(deleteCut)).toHaveLength(1)
})

test('a published cut is undone, and its marks come back with Undo', async () => {
  reply(getCut, { ...cut, ...published([{ startSeconds: 8, endSeconds: 100 }]) })
  reply(deleteCut, cut)
  await open()
  await expect.element(page.getByText(/The cut shows 1:32.0 of 1:40.0/)).toBeInTheDocument()
  await button('Undo the cut').click()
  await expect.element(page.getByText(/Nothing is removed yet/)).toBeInTheDocument()
  await expect.element(page.getByText('Undone: nothing is cut any more')).toBeVisible()
  await expect.element(button('Undo the cut')).not.toBeInTheDocument()
  await button('Undo').click()
  await expect.element(part(1).end).toHaveValue('0:08.000')
  await expect.element(publish).toBeEnabled()
})

test('what was cut is deleted after a question, with its progress, and can be stopped', async () => {
  const shown = { ...cut, ...published([{ startSeconds: 8, endSeconds: 100 }]) }
  reply(getCut, shown)
  reply(deleteRemovedParts, { ...shown, deletion: { state: 'running', progress: 0.25 } })
  reply(keepRemovedParts, shown)
  await open()
  await button('Delete what was cut…').click()
  const dialog = page.getByRole('dialog', { name: 'Delete what was cut?' })
  await expect.element(dialog.getByText(/0:08.0 of the file will be deleted for good/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(callsOf(deleteRemovedParts)).toEqual([])
  await button('Delete what was cut…').click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  const progress = page.getByRole('progressbar', { name: 'Deleting what was cut' })
  await expect.element(progress).toHaveAttribute('aria-valuenow', '25')
  expect(callsOf(deleteRemovedParts)[0]?.body).toEqual({ publishedAt: shown.publishedAt })
  await expect.element(button('Undo the cut')).not.toBeInTheDocument()
  await button('Stop and keep it').click()
  await expect.element(button('Undo the cut')).toBeVisible()
})

test('says that what was cut is deleted, and how long the file is', async () => {
  const shown = { ...cut, ...published([{ startSeconds: 8, endSeconds: 100 }]) }
  reply(getCut, { ...shown, deletion: { state: 'running', progress: 0.9 } })
  await open()
  await expect.element(page.getByRole('progressbar', { name: 'Deleting what was cut' })).toBeVisible()
  const kept = { ...cut, sourceDurationSeconds: 92, durationSeconds: 92 }
  reply(getCut, { ...kept, keep: [{ startSeconds: 0, endSeconds: 92 }] })
  await expect.element(page.getByText('What was cut is deleted. The file is now 1:32.0 long.')).toBeVisible()
})

function cutChanged() {
  const failure = failureExampleOf(videoErrors.cutChanged)
  return Response.json(failure, { status: failure.statusCode })
}

test('a cut that was changed elsewhere is loaded before another takes its place', async () => {
  const other = { ...cut, ...published([{ startSeconds: 50, endSeconds: 100 }]) }
  await open()
  await pressAt('0:08', 'o', 'x')
  reply(putCut, () => cutChanged())
  reply(getCut, other)
  await publish.click()
  await expect.element(page.getByText(/^The cut was changed in another tab/)).toBeVisible()
  expect(callsOf(putCut)[0]?.body).toMatchObject({ changedAt: null })
  await expect.element(page.getByText(/The cut shows 0:50.0 of 1:40.0/)).toBeVisible()
  await expect.element(publish).toBeDisabled()
  // also after a reload
  await open()
  await expect.element(part(1).end).toHaveValue('0:08.000')
  await button('Load the current cut').click()
  await expect.element(part(1).end).toHaveValue('0:50.000')
  await button('Undo').click()
  await expect.element(part(1).end).toHaveValue('0:08.000')
  reply(putCut, other)
  await publish.click()
  await expect.poll(() => callsOf(putCut)).toHaveLength(2)
  expect(callsOf(putCut)[1]?.body).toMatchObject({ changedAt: other.changedAt })
})

test('follows a cut that was changed elsewhere where nothing is marked', async () => {
  reply(getCut, { ...cut, ...published([{ startSeconds: 8, endSeconds: 100 }]) })
  await open()
  reply(deleteCut, () => cutChanged())
  const changedAt = '2026-05-04T09:00:00.000Z'
  reply(getCut, { ...cut, ...published([{ startSeconds: 50, endSeconds: 100 }]), changedAt })
  await button('Undo the cut').click()
  await expect.element(page.getByText(/^The cut was changed meanwhile/)).toBeVisible()
  await expect.element(part(1).end).toHaveValue('0:50.000')
  await expect.element(publish).toBeDisabled()
})

test('says of a private video that only its owner sees the cut', async () => {
  reply(getOwnVideo, { ...exampleData(getOwnVideo), visibility: 'private' })
  await open()
  await expect.element(page.getByRole('link', { name: 'Choose who can watch it' })).toBeVisible()
})

test('says why what was cut cannot be deleted, instead of the button', async () => {
  reply(getCut, { ...cut, ...published([{ startSeconds: 8, endSeconds: 100 }]), isDeletable: false })
  await open()
  await expect.element(page.getByText(/can’t be deleted for good: its picture or sound/)).toBeVisible()
  await expect.element(button('Delete what was cut…')).not.toBeInTheDocument()
})

test('marks outlast a reload, leaving asks, and discarding forgets them', async () => {
  await open()
  await pressAt('0:08', 'o', 'x')
  await expect.element(part(1).end).toHaveValue('0:08.000')
  await open()
  await expect.element(part(1).end).toHaveValue('0:08.000')
  await page.getByRole('link', { name: 'Back to the video' }).click()
  await button('Discard changes').click()
  await expect.element(page.getByRole('slider', { name: 'Position' })).not.toBeInTheDocument()
  await open()
  await expect.element(page.getByText(/Nothing is removed yet/)).toBeInTheDocument()
})

test('says what keeps a cut from being published', async () => {
  await open()
  await pressAt('0:00', 'i')
  await userEvent.keyboard('x')
  await expect.element(page.getByText('At least 1 second of the video must stay.')).toBeInTheDocument()
  await expect.element(publish).toBeDisabled()
  await button('Undo').click()
  await pressAt('0:08', 'o', 'x')
  reply(putCut, () => rejection('conflict', 'The file was replaced'))
  await publish.click()
  await expect.element(page.getByText('The file was replaced')).toBeInTheDocument()
  reply(putCut, disconnect)
  await publish.click()
  await expect.element(page.getByText(/Your marks are kept; try again/)).toBeVisible()
  await expect.element(part(1).end).toHaveValue('0:08.000')
})

test('is usable without a waveform, which is requested once and again after a failure', async () => {
  reply(getWaveform, { state: 'none', intervalSeconds: 0, peaks: '' })
  reply(requestWaveform, { state: 'failed', intervalSeconds: 0, peaks: '' })
  await open()
  await expect.element(page.getByText('The waveform could not be drawn.')).toBeInTheDocument()
  reply(getWaveform, { state: 'silent', intervalSeconds: 0, peaks: '' })
  await button('Draw the waveform again').click()
  await expect.element(page.getByText('This video has no sound.')).toBeInTheDocument()
  expect(callsOf(requestWaveform)).toHaveLength(2)
})

test('a cut that cannot be loaded can be loaded again', async () => {
  reply(getCut, () => rejection('internal'))
  await openPage('/studio/hT5mQ2xWc9RkB7fL/cut')
  await expect.element(page.getByText('Could not load the cut')).toBeInTheDocument()
  reply(getCut, cut)
  await button('Try again').click()
  await expect.element(page.getByRole('slider', { name: 'Position' })).toBeInTheDocument()
})
