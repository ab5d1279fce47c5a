import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useRowAction } from '../lib/use-row-action.ts'
import { DialogButton } from './dialog-button.tsx'
import { RevocableList } from './revocable-list.tsx'

let keys: string[]
const load = vi.fn<() => Promise<string[]>>()
const revoke = vi.fn<(key: string) => Promise<void>>()
const list = page.getByRole('list', { name: 'Keys' })
const question = page.getByRole('dialog', { name: 'Revoke Alder?' })

beforeEach(() => {
  keys = ['Alder', 'Birch']
  load.mockReset().mockImplementation(async () => keys)
  revoke.mockReset().mockImplementation(async (key) => {
    keys = keys.filter((each) => each !== key)
  })
})

test('a thing is revoked after a question, its row goes, and the focus stays in the list', async () => {
  await open()
  await page.getByRole('button', { name: 'Revoke Alder' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(revoke).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Revoke Alder' }).click()
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect.element(page.getByRole('status').getByText('Alder is revoked.')).toBeVisible()
  await expect.element(list.getByText('Alder')).not.toBeInTheDocument()
  await expect.element(list).toHaveFocus()
  await expect.element(list.getByText('Birch')).toBeVisible()
})

test('a failure says why, and the row stays', async () => {
  revoke.mockRejectedValue(new Error('offline'))
  await open()
  await page.getByRole('button', { name: 'Revoke Alder' }).click()
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect.element(page.getByRole('alert').getByText('Something went wrong')).toBeVisible()
  await expect.element(list.getByText('Alder')).toBeVisible()
})

test('a list that could not be loaded is loaded again, and a dialog adds to it', async () => {
  load.mockRejectedValueOnce(new Error('offline'))
  await open()
  await expect.element(page.getByText('Could not load the keys')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(list.getByText('Birch')).toBeVisible()
  await page.getByRole('button', { name: 'Add a key' }).click()
  await page.getByRole('button', { name: 'Close it' }).click()
  await expect.element(page.getByRole('button', { name: 'Close it' })).not.toBeInTheDocument()
})

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Keys />
    </QueryClientProvider>,
  )

function Keys() {
  const action = useRowAction({
    run: (key: string) => revoke(key),
    confirm: (key) => ({ title: `Revoke ${key}?`, text: 'It stops working.', label: 'Revoke' }),
    done: (key) => `${key} is revoked.`,
    queryKey: ['keys'],
  })
  return (
    <RevocableList
      label="Keys"
      query={useQuery({ queryKey: ['keys'], queryFn: () => load() })}
      failure="Could not load the keys"
      action={action}
      rowOf={(key) => ({
        key,
        title: key,
        note: 'Used today',
        revoke: { label: 'Revoke', name: `Revoke ${key}` },
        // of a condition that does not hold
        controls: false,
      })}
    >
      <DialogButton label="Add a key">{(close) => <button onClick={close}>Close it</button>}</DialogButton>
    </RevocableList>
  )
}
