import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { canRecord } from '../../../../lib/capture/can-record.ts'
import { withMessages } from '../../../../lib/i18n/messages.ts'
import { buttonClass } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'

const load = () => withMessages('pages', () => import('./create-menu.tsx'))
const CreateMenu = lazy(async () => ({ default: (await load()).CreateMenu }))

/** Lets signed-in people choose video files on any page, or record where the browser can. One with a label is about files alone. */
export function CreateButton({
  label,
  className,
  onClick,
}: {
  label?: string
  className?: string | undefined
  onClick?: () => void
}) {
  const button = useRef<HTMLButtonElement>(null)
  /** Where the menu stands while it is open: in the dialog of the button, or in the page. */
  const [place, setPlace] = useState<Element>()
  const hasMenu = !label && canRecord()
  return (
    <>
      <button
        ref={button}
        type="button"
        className={clsx(buttonClass('solid'), className)}
        aria-expanded={hasMenu ? place !== undefined : undefined}
        onClick={({ currentTarget }) => {
          if (hasMenu) return setPlace(place ? undefined : (currentTarget.closest('dialog') ?? document.body))
          void load().then(({ chooseFiles }) => chooseFiles())
          onClick?.()
        }}
      >
        <Icon of={Plus} />
        <span>{label ?? t`Create`}</span>
      </button>
      {place && (
        <Suspense>
          <CreateMenu button={button} place={place} onClose={() => setPlace(undefined)} onChoose={onClick} />
        </Suspense>
      )}
    </>
  )
}
