import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { NewPasswordField } from './new-password-field.tsx'

test('warns of what is easy to guess, announces it, and takes the warning back', async () => {
  await render(
    <form>
      <input aria-label="Username" name="username" />
      <NewPasswordField label="Password" name="password" hint="At least 8 characters." />
    </form>,
  )
  const password = page.getByLabelText('Password')
  await expect.element(password).toHaveAccessibleDescription('At least 8 characters.')
  await password.fill('Sunshine1!')
  await expect.element(password).toHaveAccessibleDescription(/most common.* At least 8 characters\.$/)
  await expect.element(page.getByText(/most common/)).toHaveAttribute('aria-live', 'polite')
  await expect.element(password).not.toHaveAttribute('aria-invalid')
  await password.fill('linocut-heron')
  await expect.element(page.getByText(/Easy to guess/)).not.toBeInTheDocument()

  await page.getByLabelText('Username').fill('marlowe')
  await password.fill('marlowe1')
  await expect.element(password).toHaveAccessibleDescription(/mostly repeats your name/)
})
