/** Whether this browser can receive messages while the site is closed, and if not, why. */
export type PushSupport = 'supported' | 'insecure' | 'needs_install' | 'unsupported'

/** iPads call themselves Macs, but Macs have no touch screen. */
const isApplePhone = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return 'insecure'
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'supported'
  // https://webkit.org/blog/13878/web-push-for-web-apps-on-ios-and-ipados/
  return isApplePhone() ? 'needs_install' : 'unsupported'
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** The address to which messages for this browser are sent; null without a subscription or permission. */
export async function findPushEndpoint(): Promise<string | null> {
  if (pushSupport() !== 'supported' || Notification.permission !== 'granted') return null
  return (await findSubscription())?.endpoint ?? null
}

/** Subscribes this browser. Throws if its push service does not answer; some browsers have none, or it is off. */
export async function subscribeToPush(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/service-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  // one for another key of this address would not be replaced
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

export async function unsubscribeFromPush(): Promise<void> {
  await (await findSubscription())?.unsubscribe()
}
