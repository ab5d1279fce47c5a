import { useRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useScrollIntoView } from './use-scroll-into-view.ts'

afterEach(() => scrollTo(0, 0))

test('an element stays in view when content above it arrives later', async () => {
  const { rerender } = await render(<Page above={3000} />)
  const target = page.getByText('Target')
  await expect.element(target).toBeInViewport()
  await rerender(<Page above={6000} />)
  await expect.element(target).toBeInViewport()
})

test('a person who presses a key is not moved any more', async () => {
  const { rerender } = await render(<Page above={3000} />)
  await expect.element(page.getByText('Target')).toBeInViewport()
  await userEvent.keyboard('{Home}')
  await expect.poll(() => scrollY).toBe(0)
  await rerender(<Page above={6000} />)
  await expect.poll(() => document.documentElement.scrollHeight).toBeGreaterThan(6000)
  expect(scrollY).toBe(0)
})

function Page({ above }: { above: number }) {
  const target = useRef<HTMLParagraphElement>(null)
  useScrollIntoView(target, true)
  return (
    <>
      <div style={{ height: above }} />
      <p ref={target}>Target</p>
      <div style={{ height: 3000 }} />
    </>
  )
}
