import { useRef } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { MoreActions } from './more-actions.tsx'

const button = () => page.getByRole('button', { name: 'More actions' })

test('a chosen action closes the list and leaves the focus on its button', async () => {
  const onAction = vi.fn<() => void>()
  await render(<Actions onAction={onAction} />)
  await button().click()
  await expect.element(button()).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('button', { name: 'Rename' }).click()
  expect(onAction).toHaveBeenCalledOnce()
  await expect.element(page.getByText('Rename')).not.toBeInTheDocument()
  await expect.element(button()).toHaveFocus()
})

test('Escape and leaving close the list without an action', async () => {
  const onAction = vi.fn<() => void>()
  await render(<Actions onAction={onAction} />)
  await button().click()
  await userEvent.keyboard('{Tab}{Escape}')
  await expect.element(page.getByText('Rename')).not.toBeInTheDocument()
  await expect.element(button()).toHaveFocus()

  await userEvent.keyboard('{Enter}{Tab}{Tab}')
  await expect.element(page.getByText('Rename')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Next' })).toHaveFocus()
  expect(onAction).not.toHaveBeenCalled()
})

function Actions({ onAction }: { onAction: () => void }) {
  const ref = useRef<HTMLButtonElement>(null)
  return (
    <>
      <MoreActions ref={ref}>
        <button onClick={onAction}>Rename</button>
      </MoreActions>
      <button>Next</button>
    </>
  )
}
