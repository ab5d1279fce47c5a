import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { userEvent } from 'vitest/browser'
import { SearchField } from './search-field.tsx'

test('searches after a pause or without the focus, keeps typed letters, and follows the address without the focus', async () => {
  const searched: string[] = []
  const field = (text: string) => (
    <SearchField label="Find" text={text} onSearch={(wanted) => searched.push(wanted)} />
  )
  const screen = await render(field(''))
  const input = screen.getByRole('searchbox', { name: 'Find' })
  await input.click()
  await userEvent.keyboard('sea')
  await expect.element(input).toHaveValue('sea')
  await expect.poll(() => searched).toEqual(['sea'])
  await screen.rerender(field('se'))
  await expect.element(input).toHaveValue('sea')
  await userEvent.tab()
  await expect.element(input).toHaveValue('se')
  expect(searched).toEqual(['sea'])
  await input.fill('sand')
  await userEvent.tab()
  await expect.poll(() => searched).toEqual(['sea', 'sand'])
})
