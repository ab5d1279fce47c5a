import { ApiError } from '@kinora/contract/client.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../lib/forms/use-endpoint-form.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { Field } from './field.tsx'

const name = page.getByLabelText('Name')
const crew = page.getByLabelText('Crew')
const save = page.getByRole('button', { name: 'Save' })
const saved = page.getByRole('status').filter({ hasText: 'Saved' })
const send = vi.fn<(boat: { name: string; crew: string }) => Promise<null>>()

beforeEach(() => {
  send.mockReset().mockResolvedValue(null)
})

test('nothing is sent while a field is wrong, and that field has the focus', async () => {
  await open()
  await crew.fill('4')
  await save.click()
  await expect.element(name).toHaveAccessibleDescription('A boat has a name')
  await expect.element(name).toHaveFocus()
  expect(send).not.toHaveBeenCalled()
})

test('it is saved until something is typed, and is sent once at a time', async () => {
  const answer = Promise.withResolvers<null>()
  send.mockReturnValue(answer.promise)
  await open()
  await name.fill('Alder')
  await save.click()
  await expect.element(page.getByRole('button', { name: 'Saving…' })).toBeDisabled()
  await expect.element(saved).not.toBeInTheDocument()
  answer.resolve(null)
  await expect.element(saved).toBeVisible()
  expect(send).toHaveBeenCalledExactlyOnceWith({ name: 'Alder', crew: '' })
  await name.fill('Alders')
  await expect.element(saved).not.toBeInTheDocument()
})

test('an error of the server is shown at a field that was checked before it was sent', async () => {
  const errors = [{ path: 'name', message: 'There is an Alder', reason: 'taken', params: {} }]
  send.mockRejectedValueOnce(new ApiError(400, 'Invalid', { errors }))
  await open()
  await name.fill('Alder')
  await save.click()
  await expect.element(name).toHaveAccessibleDescription('There is an Alder')
})

test('an error is shown at its field, or above the button', async () => {
  send.mockRejectedValueOnce(
    new ApiError(400, 'Invalid', {
      errors: [{ path: 'crew', message: 'At most 8 people', reason: 'invalid', params: {} }],
    }),
  )
  await open()
  await name.fill('Alder')
  await save.click()
  await expect.element(crew).toHaveAccessibleDescription('At most 8 people')
  await expect.element(crew).toHaveFocus()
  expect(page.getByRole('alert').elements()).toHaveLength(1)
  send.mockRejectedValueOnce(new Error('offline'))
  await save.click()
  await expect.element(page.getByRole('alert').getByText('Something went wrong')).toBeVisible()
  await save.click()
  await expect.element(saved).toBeVisible()
  expect(page.getByRole('alert').elements()).toEqual([])
})

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '*', Component: Boat }])} />
    </QueryClientProvider>,
  )

function Boat() {
  const form = useEndpointForm({
    fields: ['name', 'crew'],
    check: (fields) => ({ name: textOf(fields, 'name') === '' ? 'A boat has a name' : undefined }),
    send: (fields) => send({ name: textOf(fields, 'name'), crew: textOf(fields, 'crew') }),
  })
  return (
    <EndpointForm form={form} pending="Saving…">
      <Field label="Name" {...form.field('name')} />
      <Field label="Crew" {...form.field('crew')} />
    </EndpointForm>
  )
}
