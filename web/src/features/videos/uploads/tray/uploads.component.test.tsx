import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { showFiles } from './tray-files.ts'
import { Uploads } from './uploads.tsx'

/** Its effect runs after the first render of the uploads, and before their own. */
function EarlyChoice() {
  useEffect(() => {
    showFiles([new File(['tide table'], 'notes.txt', { type: 'text/plain' })])
  }, [])
  return undefined
}

test('shows a file that is chosen while the uploads are being rendered', async () => {
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <EarlyChoice />
        <Uploads userId="ines" />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const tray = page.getByRole('region', { name: 'Transfers' })
  await expect.element(tray.getByText('notes', { exact: true })).toBeVisible()
  // A refused file is no part of what is sent, and has nothing to edit.
  await expect.element(tray.getByText(/^Invalid file type/)).toBeVisible()
  await expect.element(tray.getByText('Convert the video to MP4, then choose the new file.')).toBeVisible()
  expect(tray.getByText('0 of 1 sent').elements()).toEqual([])
  expect(tray.getByRole('button', { name: 'Customize: notes' }).elements()).toEqual([])
})
