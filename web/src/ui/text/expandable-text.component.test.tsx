import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ExpandableText } from './expandable-text.tsx'

const lines = (count: number) => Array.from({ length: count }, (_, index) => <p key={index}>Line {index}</p>)

test('a long text is cut until somebody asks for more', async () => {
  await render(<ExpandableText lines={3}>{lines(20)}</ExpandableText>)
  const last = page.getByText('Line 19')
  const more = page.getByRole('button', { name: 'Show more' })
  await expect.element(more).toHaveAttribute('aria-expanded', 'false')
  await expect.element(last).not.toBeInViewport()
  const text = last.element().parentElement!
  expect(text.scrollHeight).toBeGreaterThan(text.clientHeight)
  await more.click()
  expect(text.scrollHeight).toBe(text.clientHeight)
  await expect
    .element(page.getByRole('button', { name: 'Show less' }))
    .toHaveAttribute('aria-expanded', 'true')
})

test('a text that is only a little too long is shown whole', async () => {
  await render(
    <ExpandableText lines={3}>
      <span style={{ whiteSpace: 'pre' }}>{'one\ntwo\nthree\nfour\nfive'}</span>
    </ExpandableText>,
  )
  await expect.element(page.getByText(/five/)).toBeVisible()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})
