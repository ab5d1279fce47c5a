import { Check } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './subscribe-button.module.css'

/** Subscribes to a channel or ends it. Whose channel, and what a click does, is the page's to say. */
export function SubscribeButton({
  isSubscribed,
  isOwn = false,
  onToggle,
}: {
  /** Undefined as long as that is not known: the button then has its place and says nothing. */
  isSubscribed: boolean | undefined
  /** One may subscribe to oneself, but nobody is asked to. */
  isOwn?: boolean
  onToggle: () => void
}) {
  return (
    <Button
      className={isSubscribed === undefined ? styles['unknown'] : undefined}
      variant={isSubscribed || isOwn ? 'quiet' : 'solid'}
      onClick={onToggle}
    >
      {/* The tick tells a subscription from the quiet button of one's own channel. */}
      {isSubscribed && <Icon of={Check} size={18} />}
      {isSubscribed ? 'Subscribed' : 'Subscribe'}
    </Button>
  )
}
