import { Button } from '../../ui/button.tsx'

/** Subscribes to a channel or ends it. Whose channel, and what a click does, is the page's to say. */
export function SubscribeButton({ isSubscribed, onToggle }: { isSubscribed: boolean; onToggle: () => void }) {
  return (
    <Button variant={isSubscribed ? 'quiet' : 'solid'} onClick={onToggle}>
      {isSubscribed ? 'Subscribed' : 'Subscribe'}
    </Button>
  )
}
