import { listOwnCaptions } from '@kinora/contract/videos/captions.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { openPage, reply } from '../../../testing/site.tsx'
import { ChaptersDialog } from './chapters-dialog.tsx'

const chapters = ['Opening', 'Dough', 'Oven'].map((title, n) => ({ title, startSeconds: n * 60 }))
const press = async (name: string) => page.getByRole('button', { name }).click()

test('deleting a chapter moves the focus to the next one, then to the last, then to the list', async () => {
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <ChaptersDialog
        videoId="hT5mQ2xWc9RkB7fL"
        chapters={chapters}
        description=""
        durationSeconds={300}
        onClose={() => undefined}
        onChange={() => undefined}
      />
    </QueryClientProvider>,
  )
  await press('Delete chapter 2')
  await expect.element(page.getByRole('button', { name: 'Delete chapter 2' })).toHaveFocus()
  await expect.element(page.getByLabelText('Title of chapter 2')).toHaveValue('Oven')
  await press('Delete chapter 2')
  await expect.element(page.getByRole('button', { name: 'Delete chapter 1' })).toHaveFocus()
  await press('Delete chapter 1')
  await expect.element(page.getByRole('list')).toHaveFocus()
})

test('captions suggest chapters, which become part of the description only when they are saved', async () => {
  const words = { 0: 'flour water dough', 130: 'oven steam crust', 260: 'butter knife guests' }
  const cues = Object.entries(words).flatMap(([from, text]) =>
    Array.from({ length: 12 }, (_, n) => cueAt(Number(from) + n * 10, `the ${text} and ${text} here`)),
  )
  reply(listOwnCaptions, [
    {
      _id: 'c',
      url: `data:text/vtt,${encodeURIComponent(`WEBVTT\n\n${cues.join('\n\n')}\n`)}`,
      language: 'en',
      label: 'English',
      isDefault: false,
      isAutomatic: true,
      fileTrack: null,
    },
  ])
  await openPage('/studio/hT5mQ2xWc9RkB7fL')
  await page.getByRole('button', { name: 'Edit chapters…' }).click()
  await press('Suggest from the captions')
  await expect.element(page.getByLabelText('Start of chapter 2')).toHaveValue('2:10')
  await expect.element(page.getByLabelText('Title of chapter 2')).toHaveValue('Oven, steam, crust')
  await expect.element(page.getByLabelText('Start of chapter 3')).toHaveValue('4:20')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByText('Oven, steam, crust')).not.toBeInTheDocument()
})

const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23)
const cueAt = (seconds: number, text: string) => `${clock(seconds)} --> ${clock(seconds + 9)}\n${text}`
