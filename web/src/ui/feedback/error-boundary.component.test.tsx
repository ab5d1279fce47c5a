import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ErrorBoundary } from './error-boundary.tsx'

test('an entry that fails to render leaves a sentence, and its neighbour stays', async () => {
  // React reports the error there.
  const report = vi.spyOn(console, 'error').mockImplementation(() => {})
  await render(
    <>
      <ErrorBoundary fallback="This comment cannot be shown.">
        <Broken />
      </ErrorBoundary>
      <p>Neighbour</p>
    </>,
  )
  await expect.element(page.getByText('This comment cannot be shown.')).toBeVisible()
  await expect.element(page.getByText('Neighbour')).toBeVisible()
  expect(report).toHaveBeenCalled()
  report.mockRestore()
})

function Broken(): never {
  throw new Error('This response lacks a field')
}
