import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ChaptersDialog } from './chapters-dialog.tsx'

const chapters = ['Opening', 'Dough', 'Oven'].map((title, n) => ({ title, startSeconds: n * 60 }))
const press = async (name: string) => page.getByRole('button', { name }).click()

test('deleting a chapter moves the focus to the next one, then to the last, then to the list', async () => {
  await render(
    <ChaptersDialog
      chapters={chapters}
      description=""
      durationSeconds={300}
      onClose={() => undefined}
      onChange={() => undefined}
    />,
  )
  await press('Delete chapter 2')
  await expect.element(page.getByRole('button', { name: 'Delete chapter 2' })).toHaveFocus()
  await expect.element(page.getByLabelText('Title of chapter 2')).toHaveValue('Oven')
  await press('Delete chapter 2')
  await expect.element(page.getByRole('button', { name: 'Delete chapter 1' })).toHaveFocus()
  await press('Delete chapter 1')
  await expect.element(page.getByRole('list')).toHaveFocus()
})
