import { Button } from '../../ui/button.tsx'

/** Subscribes to a channel or ends it. Whose channel, and what a click does, is the page's to say. */
export function SubscribeButton({
  isSubscribed,
  isOwn = false,
  onToggle,
}: {
  isSubscribed: boolean
  /** One may subscribe to oneself, but nobody is asked to. */
  isOwn?: boolean
  onToggle: () => void
}) {
  return (
    <Button variant={isSubscribed || isOwn ? 'quiet' : 'solid'} onClick={onToggle}>
      {isSubscribed ? 'Subscribed' : 'Subscribe'}
    </Button>
  )
}
