import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { SectionNav } from './section-nav.tsx'

const sections = [
  { label: 'Boats', to: '/club', count: 3 },
  {
    label: 'People',
    to: '/club/people',
    parts: [
      { label: 'Members', to: '/club/people' },
      { label: 'Guests', to: '/club/guests' },
    ],
  },
  ...['Boathouse', 'Regattas', 'Training'].map((label) => ({ label, to: `/club/${label}` })),
]
const open = (path: string) =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <SectionNav label="Club" sections={sections} />
    </MemoryRouter>,
  )
const tabs = page.getByRole('navigation', { name: 'Club' })

test.each([
  ['/club', 'Boats 3'],
  ['/club/alder/log', 'Boats 3'],
  ['/club/Boathouse/', 'Boathouse'],
])('the section of %s is %s', async (path, name) => {
  await open(path)
  await expect.element(tabs.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  expect(document.querySelectorAll('[aria-current]')).toHaveLength(1)
})

test('the parts of the open section are below it', async () => {
  await open('/club/guests')
  await expect.element(tabs.getByRole('link', { name: 'People' })).toHaveAttribute('aria-current', 'page')
  const parts = page.getByRole('navigation', { name: 'People' })
  await expect.element(parts.getByRole('link', { name: 'Guests' })).toHaveAttribute('aria-current', 'page')
  await parts.getByRole('link', { name: 'Members' }).click()
  await expect.element(parts.getByRole('link', { name: 'Members' })).toHaveAttribute('aria-current', 'page')
  await tabs.getByRole('link', { name: 'Boats 3' }).click()
  await expect.element(parts).not.toBeInTheDocument()
})

test('a row that does not fit scrolls to its open tab, and the page does not', async () => {
  await page.viewport(320, 640)
  await open('/club/training')
  await expect.element(tabs.getByRole('link', { name: 'Training' })).toBeInViewport()
  await expect.element(tabs).toHaveAttribute('data-more-before')
})
