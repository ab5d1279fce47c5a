import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { DataTable } from './data-table.tsx'

const boats = [
  { id: 'a', name: 'Alder', crew: 4 },
  { id: 'b', name: 'Birch', crew: 12 },
]
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })

test('a table names its rows, and selects one or all of them', async () => {
  await page.viewport(1280, 800)
  await render(<Boats />)
  await expect.element(page.getByRole('table', { name: 'Boats' })).toBeVisible()
  await expect.element(row('Birch').getByRole('cell', { name: '12' })).toBeVisible()
  await page.getByLabelText('Select Birch').click()
  await expect.element(row('Birch')).toHaveAttribute('data-selected')
  await expect.element(page.getByLabelText('Select all')).not.toBeChecked()
  await page.getByLabelText('Select all').click()
  await expect.element(row('Alder')).toHaveAttribute('data-selected')
  await page.getByLabelText('Select all').click()
  await expect.element(row('Birch')).not.toHaveAttribute('data-selected')
})

test('the actions of a row are in a menu that names the row', async () => {
  const onSink = vi.fn<(name: string) => void>()
  await render(<Boats onSink={onSink} />)
  await page.getByRole('button', { name: 'More actions: Birch' }).click()
  await page.getByRole('button', { name: 'Sink', exact: true }).click()
  expect(onSink).toHaveBeenCalledExactlyOnceWith('Birch')
  await expect.element(page.getByRole('button', { name: 'More actions: Birch' })).toHaveFocus()
  // nothing can be done to a small boat
  expect(page.getByRole('button', { name: 'More actions: Alder' }).elements()).toEqual([])
})

test('a narrow table shows its rows as cards, with the headings of numbers', async () => {
  await page.viewport(320, 640)
  await render(<Boats />)
  const cell = row('Alder').getByRole('cell', { name: 'Crew 4' })
  await expect.element(cell).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(320)
  const header = row('Alder').getByRole('rowheader').element().getBoundingClientRect()
  expect(cell.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(header.bottom)
})

function Boats({ onSink = () => undefined }: { onSink?: (name: string) => void }) {
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set())
  return (
    <MemoryRouter>
      <DataTable
        label="Boats"
        rows={boats}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        selection={{ selected, onSelect }}
        columns={[
          { heading: 'Boat', kind: 'name', render: ({ name }) => name },
          { heading: 'Crew', kind: 'number', render: ({ crew }) => crew },
        ]}
        actions={({ name, crew }) =>
          crew > 8 ? [{ label: 'Sink', onSelect: () => onSink(name), isDangerous: true }] : []
        }
      />
    </MemoryRouter>
  )
}
