import { getUploadQuota, listUnfinishedUploads, publishUpload } from '@kinora/contract/videos/uploads.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../../../testing/site.tsx'

/** Devices of the machine are replaced: a canvas as the camera and as the screen, a tone as the microphone. */
interface Devices {
  camera: () => Promise<MediaStream>
  screen: () => Promise<MediaStream>
}

function drawnStream(): MediaStream {
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 })
  const draw = () => canvas.getContext('2d')?.fillRect(0, 0, 320, 240)
  draw()
  const timer = setInterval(draw, 50)
  onTestFinished(() => clearInterval(timer))
  return canvas.captureStream(20)
}

const refuse = (name: string) => async () => Promise.reject(new DOMException('', name))

function plugIn({
  camera = async () => drawnStream(),
  screen = async () => drawnStream(),
}: Partial<Devices>) {
  const { mediaDevices } = navigator
  vi.spyOn(mediaDevices, 'getUserMedia').mockImplementation(camera)
  vi.spyOn(mediaDevices, 'getDisplayMedia').mockImplementation(screen)
  onTestFinished(() => void vi.restoreAllMocks())
}

const sources = page.getByRole('region', { name: 'Sources' })
const camera = sources.getByRole('combobox', { name: 'Camera' })
const start = page.getByRole('button', { name: 'Start recording' })

beforeEach(() => {
  reply(listUnfinishedUploads, [])
})

test('nothing is recorded before there is a picture', async () => {
  plugIn({})
  await openPage('/record')
  await expect.element(start).toBeDisabled()
  await userEvent.selectOptions(camera, 'Camera')
  await expect.element(start).toBeEnabled()
  await expect.element(page.getByText('No microphone is on: the recording has no sound.')).toBeVisible()
})

test.each([
  ['NotAllowedError', /^The camera is blocked/],
  ['NotFoundError', /^No camera was found/],
  ['NotReadableError', /^Another program uses the camera/],
  ['TypeError', /^The camera could not be started/],
])('says what to do after %s', async (name, text) => {
  plugIn({ camera: refuse(name) })
  await openPage('/record')
  await userEvent.selectOptions(camera, 'Camera')
  await expect.element(page.getByRole('alert').getByText(text)).toBeVisible()
  await expect.element(camera).toHaveValue('off')
})

test('a screen that was not shared is no failure of the page', async () => {
  plugIn({ screen: refuse('NotAllowedError') })
  await openPage('/record')
  await sources.getByRole('button', { name: 'Choose' }).click()
  await expect.element(page.getByRole('alert').getByText(/^Nothing was shared/)).toBeVisible()
})

test('a camera that is unplugged before the recording is said so', async () => {
  const stream = drawnStream()
  plugIn({ camera: async () => stream })
  await openPage('/record')
  await userEvent.selectOptions(camera, 'Camera')
  await expect.element(start).toBeEnabled()
  const [track] = stream.getTracks()
  track?.stop()
  track?.dispatchEvent(new Event('ended'))
  await expect.element(page.getByText('The camera was disconnected.')).toBeVisible()
  await expect.element(start).toBeDisabled()
})

test('the camera within a screen is moved and resized by keys', async () => {
  plugIn({})
  await openPage('/record')
  await sources.getByRole('button', { name: 'Choose' }).click()
  await userEvent.selectOptions(camera, 'Camera')
  const handle = page.getByRole('button', { name: /^Camera in the picture/ })
  await expect.element(handle).toBeVisible()
  const rect = () => handle.element().getBoundingClientRect()
  const before = rect()
  ;(handle.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowUp}{ArrowLeft}')
  await expect.poll(() => rect().top).toBeLessThan(before.top)
  expect(rect().left).toBeLessThan(before.left)
  await userEvent.keyboard('+')
  await expect.poll(() => rect().width).toBeGreaterThan(before.width)
})

test('a recording that the server refuses does not begin', async () => {
  plugIn({})
  reply(getUploadQuota, () =>
    Response.json(
      {
        success: false,
        statusCode: 413,
        code: 'too_large',
        reason: 'quota_bytes',
        message: 'No room',
        errors: [],
        data: null,
      },
      { status: 413 },
    ),
  )
  await openPage('/record')
  await userEvent.selectOptions(camera, 'Camera')
  await start.click()
  await expect.element(page.getByText('No room')).toBeVisible()
  await expect.element(start).toBeVisible()
})

test('an unfinished recording is discarded after a question', async () => {
  const [example] = exampleData(listUnfinishedUploads)
  if (!example) throw new Error('The contract has no example')
  const recording = { ...example, title: 'Recording, 3 May', isGrowing: true }
  reply(listUnfinishedUploads, [recording, { ...example, _id: 'other', title: 'A file', isGrowing: false }])
  await openPage('/record')
  const unfinished = page.getByRole('region', { name: 'Unfinished recordings' })
  await expect.element(unfinished).toBeVisible()
  expect(unfinished.element().textContent).not.toContain('A file')
  await unfinished.getByRole('button', { name: 'Discard' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Discard this recording?' })).toBeVisible()
  expect(callsOf(publishUpload)).toEqual([])
})

test('without a recorder the page says what is needed, and the menu has no entry', async () => {
  const { MediaRecorder: recorder } = globalThis
  Reflect.deleteProperty(globalThis, 'MediaRecorder')
  onTestFinished(() => void Object.assign(globalThis, { MediaRecorder: recorder }))
  await openPage('/record')
  await expect.element(page.getByText('This browser cannot record')).toBeVisible()
  const create = page.getByRole('banner').getByRole('button', { name: 'Create' })
  await expect.element(create).not.toHaveAttribute('aria-expanded')
})

test('the menu opens at its first entry, and Escape returns to its button', async () => {
  await openPage('/about')
  const create = page.getByRole('banner').getByRole('button', { name: 'Create' })
  await create.click()
  await expect.element(page.getByRole('button', { name: 'Choose files' })).toHaveFocus()
  await expect
    .element(page.getByRole('link', { name: 'Record', exact: true }))
    .toHaveAttribute('href', '/record')
  await userEvent.keyboard('{Escape}')
  await expect.element(create).toHaveFocus()
  await expect.element(create).toHaveAttribute('aria-expanded', 'false')
})

test('arrow keys move within the menu, and Tab goes on from its button', async () => {
  await openPage('/about')
  const create = page.getByRole('banner').getByRole('button', { name: 'Create' })
  const menu = page.getByRole('group', { name: 'Create' })
  const [files, record] = [
    menu.getByRole('button', { name: 'Choose files' }),
    menu.getByRole('link', { name: 'Record' }),
  ]
  await create.click()
  await expect.element(files).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(record).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(files).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(record).toHaveFocus()
  await userEvent.keyboard('{Home}{Tab}')
  await expect.element(menu).not.toBeInTheDocument()
  expect(create.element().compareDocumentPosition(document.activeElement ?? document)).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  )
  expect(document.activeElement).not.toBe(document.body)
})

test('on phones the menu is within the screen', async () => {
  await page.viewport(390, 844)
  await openPage('/about')
  await page.getByRole('button', { name: 'Create' }).first().click()
  const menu = page.getByRole('group', { name: 'Create' })
  await expect.element(menu).toBeVisible()
  const { left, top, right, bottom } = menu.element().getBoundingClientRect()
  expect([left >= 0, top >= 0, right <= innerWidth, bottom <= innerHeight]).toEqual([true, true, true, true])
  await menu.getByRole('link', { name: 'Record' }).click()
  await expect.poll(() => location.pathname).toBe('/record')
  await expect.element(menu).not.toBeInTheDocument()
})
