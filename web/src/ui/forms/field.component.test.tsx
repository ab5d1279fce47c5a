import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Field, TextArea } from './field.tsx'
import { Select } from './select.tsx'

const texts = { label: 'Name', error: 'Enter a name.', hint: 'At most 100 characters.' }

test.each([
  ['textbox', 'a field', <Field key="field" {...texts} />],
  ['textbox', 'a text area', <TextArea key="area" {...texts} />],
  ['combobox', 'a choice', <Select key="select" {...texts} />],
] as const)('says its name, error and hint: %s of %s', async (role, _, element) => {
  await render(element)
  const control = page.getByRole(role, { name: 'Name' })
  await expect.element(control).toHaveAttribute('aria-invalid', 'true')
  await expect.element(control).toHaveAccessibleDescription('Enter a name. At most 100 characters.')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Enter a name.')
})

test('a field without an error is not invalid', async () => {
  await render(<Field label="Name" hint="At most 100 characters." />)
  const control = page.getByRole('textbox', { name: 'Name' })
  await expect.element(control).not.toHaveAttribute('aria-invalid')
  await expect.element(control).toHaveAccessibleDescription('At most 100 characters.')
})
