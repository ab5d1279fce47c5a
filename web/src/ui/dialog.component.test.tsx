import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Dialog } from './dialog.tsx'

test('a dialog has the focus on its title, and returns it to its opener', async () => {
  await render(<Opener />)
  const opener = page.getByRole('button', { name: 'Open' })
  await opener.click()
  await expect.element(page.getByRole('dialog', { name: 'Delete this video?' })).toBeVisible()
  await expect.element(page.getByRole('heading')).toHaveFocus()

  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

test('Tab stays inside a dialog', async () => {
  await render(<Opener />)
  await page.getByRole('button', { name: 'Open' }).click()
  const dialog = page.getByRole('dialog').element()
  const focused: (Element | null)[] = []
  for (let press = 0; press < 5; press += 1) {
    await userEvent.keyboard('{Tab}')
    focused.push(document.activeElement)
  }
  // After the last control it is the browser's own turn.
  const onPage = focused.filter((element) => element !== document.body)
  expect(onPage).toContain(page.getByRole('button', { name: 'Cancel' }).element())
  expect(onPage.filter((element) => !dialog.contains(element))).toEqual([])
})

test('a press beside a dialog closes it, unless input would be lost', async () => {
  const onClose = vi.fn<() => void>()
  const screen = await render(
    <Dialog title="Share" onClose={onClose}>
      Text
    </Dialog>,
  )
  pressBeside(page.getByRole('dialog').element())
  expect(onClose).toHaveBeenCalledTimes(1)
  await screen.rerender(
    <Dialog title="Share" onClose={onClose} closesOnOutsideClick={false}>
      Text
    </Dialog>,
  )
  pressBeside(page.getByRole('dialog').element())
  expect(onClose).toHaveBeenCalledTimes(1)
})

function Opener() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      {isOpen && (
        <Dialog title="Delete this video?" onClose={() => setOpen(false)}>
          <button>Cancel</button>
        </Dialog>
      )}
    </>
  )
}

/** The backdrop belongs to the dialog's element. */
function pressBeside(dialog: Element): void {
  dialog.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
}
