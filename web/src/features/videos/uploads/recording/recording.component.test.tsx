import { errors } from '@kinora/contract/errors.ts'
import { failureExampleOf } from '@kinora/contract/examples.ts'
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
const microphone = sources.getByRole('combobox', { name: 'Microphone' })
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

/** Unplugs the device of a stream. */
function unplug(stream: MediaStream) {
  for (const track of stream.getTracks()) {
    track.stop()
    track.dispatchEvent(new Event('ended'))
  }
}

test.each([
  ['NotAllowedError', /^The microphone is blocked/],
  ['NotFoundError', /^No microphone was found/],
])('says of a microphone what to do after %s', async (name, text) => {
  plugIn({ camera: refuse(name) })
  await openPage('/record')
  await userEvent.selectOptions(microphone, 'Microphone')
  await expect.element(page.getByRole('alert').getByText(text)).toBeVisible()
})

/** Takes uploads, until the disk of the server is full. */
function acceptUploads(isFull: () => boolean = () => false) {
  const { fetch } = globalThis
  let offset = 0
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { method = 'GET', body } = init
    if (!/\/uploads(\/up)?$/.test(input) || method === 'GET') return fetch(input, init)
    if (method === 'PATCH' && isFull() && (body as Blob).size > 0) {
      const failure = failureExampleOf(errors.diskFull)
      return Response.json(failure, { status: failure.statusCode })
    }
    if (method === 'PATCH') offset += (body as Blob).size
    const headers = { location: '/uploads/up', 'upload-offset': String(offset) }
    return new Response(null, { status: method === 'POST' ? 201 : 204, headers })
  })
}

const alert = page.getByRole('alert')

async function startRecording(devices: Partial<Devices>) {
  plugIn(devices)
  await openPage('/record')
  await userEvent.selectOptions(camera, 'Camera')
  await start.click()
  await expect.element(page.getByRole('button', { name: 'Pause' })).toBeVisible()
}

test('a double click starts a recording', async () => {
  acceptUploads()
  plugIn({})
  await openPage('/record')
  await userEvent.selectOptions(camera, 'Camera')
  await start.dblClick()
  await expect.element(page.getByRole('button', { name: 'Pause' })).toBeVisible()
})

test('a camera that is unplugged alone pauses its recording', async () => {
  acceptUploads()
  const stream = drawnStream()
  await startRecording({ camera: async () => stream })
  unplug(stream)
  await expect
    .element(alert.getByText(/^The camera was disconnected, and the recording is paused/))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Continue' })).toBeVisible()
})

test('a computer that slept pauses its recording, which goes on later', async () => {
  acceptUploads()
  await startRecording({})
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 3_600_000)
  await expect.element(alert.getByText(/^The computer was asleep/)).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.element(page.getByRole('timer')).not.toHaveTextContent('1:00:')
})

test('a full disk of the server ends a recording, and what was sent is kept', async () => {
  let isFull = false
  acceptUploads(() => isFull)
  await startRecording({})
  isFull = true
  await expect
    .element(alert.getByText(/^The recording has ended: The disk of the server is full/))
    .toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Open the recording' })).toBeVisible()
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
