import { t } from '@lingui/core/macro'
import { VisuallyHidden } from '../text/visually-hidden.tsx'

/** Tooltip of a control whose last change was not saved. */
export const notSavedTitle = (hasFailed: boolean) => (hasFailed ? t`Not saved. Try again.` : undefined)

/** Announces the same to screen readers. By specification, the page itself does not change. */
export function NotSaved({ hasFailed }: { hasFailed: boolean }) {
  return (
    <VisuallyHidden>
      <span aria-live="polite">{notSavedTitle(hasFailed)}</span>
    </VisuallyHidden>
  )
}
