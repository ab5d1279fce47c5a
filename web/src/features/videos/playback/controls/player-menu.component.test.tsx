import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { PlayerMenu } from './player-menu.tsx'

const speeds = ['0.25×', '0.5×', 'Normal', '1.5×', '2×']
const button = () => page.getByRole('button', { name: 'Settings' })
const setting = (name: RegExp) => page.getByRole('menuitem', { name })
const choice = (name: string) => page.getByRole('menuitemradio', { name, exact: true })
const menu = () => page.getByRole('menu')

beforeEach(async () => {
  await render(<Settings />)
})

test('a setting opens on its current choice, and arrow keys go round', async () => {
  await openSpeeds()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(choice('2×')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(setting(/All settings/)).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(choice('2×')).toHaveFocus()
  await userEvent.keyboard('{Home}{ArrowDown}')
  await expect.element(choice('0.25×')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(setting(/Speed/)).toHaveFocus()
})

test('typing moves to the next choice that starts with it', async () => {
  await openSpeeds()
  await userEvent.keyboard('0')
  await expect.element(choice('0.25×')).toHaveFocus()
  await userEvent.keyboard('0')
  await expect.element(choice('0.5×')).toHaveFocus()
  await userEvent.keyboard('n')
  await expect.element(choice('Normal')).toHaveFocus()
})

test('a choice closes the menu and is marked the next time', async () => {
  await openSpeeds()
  await choice('1.5×').click()
  await expect.element(button()).toHaveFocus()
  await button().click()
  await setting(/Speed.*1\.5×/).click()
  await expect.element(choice('1.5×')).toHaveAttribute('aria-checked', 'true')
  await expect.element(choice('Normal')).toHaveAttribute('aria-checked', 'false')
})

test('Escape, Tab and a press outside close it', async () => {
  await openSpeeds()
  await userEvent.keyboard('{Escape}')
  await expect.element(menu()).not.toBeInTheDocument()
  await expect.element(button()).toHaveFocus()

  await userEvent.keyboard('{Enter}')
  await expect.element(menu()).toBeVisible()
  await userEvent.keyboard('{Tab}')
  await expect.element(menu()).not.toBeInTheDocument()

  await button().click()
  await page.getByText('Outside').click()
  await expect.element(menu()).not.toBeInTheDocument()
})

test('a switch is named by its label, says its state once, and stays in the menu', async () => {
  await button().click()
  const loop = page.getByRole('menuitemcheckbox', { name: 'Loop', exact: true })
  await loop.click()
  await expect.element(loop).toHaveAttribute('aria-checked', 'true')
  await expect.element(loop).toHaveFocus()
})

test('keeps the keys of an open menu from the player', async () => {
  const keys: string[] = []
  const listen = (event: KeyboardEvent) => keys.push(event.key)
  await openSpeeds()
  document.addEventListener('keydown', listen)
  await userEvent.keyboard('{ArrowDown}k{Escape}j')
  document.removeEventListener('keydown', listen)
  expect(keys).toEqual(['j'])
})

async function openSpeeds(): Promise<void> {
  await button().click()
  await setting(/Speed/).click()
  await expect.element(choice('Normal')).toHaveFocus()
}

function Settings() {
  const [speed, setSpeed] = useState('Normal')
  const [isLooping, setLooping] = useState(false)
  const choices = speeds.map((label) => ({
    label,
    isChosen: label === speed,
    choose: () => setSpeed(label),
  }))
  return (
    <>
      <p>Outside</p>
      <div style={{ position: 'fixed', insetInlineStart: 200, insetBlockEnd: 40 }}>
        <PlayerMenu
          label="Settings"
          face="S"
          entries={[
            { type: 'choices', label: 'Speed', value: speed, choices },
            { type: 'switch', label: 'Loop', isOn: isLooping, toggle: () => setLooping(!isLooping) },
          ]}
          onHold={() => {}}
        />
      </div>
    </>
  )
}
