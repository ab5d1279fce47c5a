import { t } from '@lingui/core/macro'
import { Bell, BellRing } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { NotSaved, notSavedTitle } from '../../../ui/feedback/not-saved.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useReminder } from './api.ts'

/** Has the viewer notified when a premiere or a stream begins. */
export function ReminderButton({
  videoId,
  isReminded,
  requireSession,
}: {
  videoId: string
  isReminded: boolean
  /** Opens the login page for visitors. */
  requireSession: (act: () => void) => void
}) {
  const { mutate, isError, isPending, variables } = useReminder(videoId)
  const isOn = isPending ? variables : isReminded
  return (
    <>
      <Button
        variant={isOn ? 'quiet' : 'solid'}
        aria-pressed={isOn}
        title={notSavedTitle(isError)}
        onClick={() => requireSession(() => mutate(!isOn))}
      >
        <Icon of={isOn ? BellRing : Bell} isFilled={isOn} />
        {t`Remind me`}
      </Button>
      <NotSaved hasFailed={isError} />
    </>
  )
}
