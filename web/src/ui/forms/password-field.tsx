import { t } from '@lingui/core/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { Field } from './field.tsx'

/** A field for a password, which a button shows. */
export function PasswordField(field: Omit<ComponentProps<typeof Field>, 'type' | 'end'>) {
  const [isShown, setShown] = useState(false)
  const toggle = () => setShown(!isShown)
  return (
    <Field
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      type={isShown ? 'text' : 'password'}
      // As in browsers that have such a button. It is no tab stop between the fields of a form.
      onKeyDown={({ altKey, key }) => altKey && key === 'F8' && toggle()}
      end={
        // not "Show password": tests and people find the field by that word
        <IconButton
          label={t`Show the characters`}
          aria-keyshortcuts="Alt+F8"
          aria-pressed={isShown}
          tabIndex={-1}
          onClick={toggle}
        >
          <Icon of={isShown ? EyeOff : Eye} />
        </IconButton>
      }
    />
  )
}
