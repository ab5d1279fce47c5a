/** Stands in the routes; its content is on its way. */
export function SubscribedToPage() {
  return null
}
