import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { FileField } from './file-field.tsx'

const field = { label: 'Thumbnail', prompt: 'Choose a picture' }

test('shows the chosen picture, and name and size of what cannot be one', async () => {
  const onPick = vi.fn<(file: File | undefined) => void>()
  await render(<FileField {...field} shape="thumbnail" onPick={onPick} />)
  const input = page.getByLabelText('Thumbnail')
  const canvas = new OffscreenCanvas(1, 1)
  canvas.getContext('2d')
  const pixel = await canvas.convertToBlob()
  await userEvent.upload(input, new File([pixel], 'pixel.png', { type: pixel.type }))
  await expect.element(page.getByText('Replace')).toBeVisible()
  expect(document.querySelector('img')?.src).toMatch(/^blob:/)
  expect(onPick.mock.calls[0]?.[0]?.name).toBe('pixel.png')

  await userEvent.upload(input, new File(['no picture'], 'text.png', { type: 'image/png' }))
  await expect.element(page.getByText('text.png')).toBeVisible()
  await expect.element(page.getByText('10 bytes')).toBeVisible()
})

test('Enter opens the file picker instead of submitting the form', async () => {
  const onSubmit = vi.fn<() => void>()
  const onOpen = vi.fn<(event: Event) => void>((event) => event.preventDefault())
  await render(
    <form onSubmit={onSubmit}>
      <FileField {...field} shape="file" />
    </form>,
  )
  const input = page.getByLabelText('Thumbnail').element() as HTMLInputElement
  input.addEventListener('click', onOpen)
  input.focus()
  await userEvent.keyboard('{Enter}')
  expect(onOpen).toHaveBeenCalledOnce()
  expect(onSubmit).not.toHaveBeenCalled()
})
