import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { NotSaved, notSavedTitle } from '../../../ui/feedback/not-saved.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './subscribe-button.module.css'

/** Button that subscribes or unsubscribes. The page provides the state and the action. */
export function SubscribeButton({
  isSubscribed,
  isOwn = false,
  hasFailed = false,
  onToggle,
}: {
  /** Undefined while unknown: the button then reserves its space without a label. */
  isSubscribed: boolean | undefined
  /** Users may subscribe to themselves, but are not prompted to. */
  isOwn?: boolean
  /** Whether the last change was not saved. */
  hasFailed?: boolean
  onToggle: () => void
}) {
  return (
    <>
      <Button
        title={notSavedTitle(hasFailed)}
        className={isSubscribed === undefined ? styles['unknown'] : undefined}
        variant={isSubscribed || isOwn ? 'quiet' : 'solid'}
        onClick={onToggle}
      >
        {/* The check mark distinguishes a subscription from the button of one's own channel. */}
        {isSubscribed && <Icon of={Check} size={18} />}
        {isSubscribed ? t`Subscribed` : t`Subscribe`}
      </Button>
      <NotSaved hasFailed={hasFailed} />
    </>
  )
}
