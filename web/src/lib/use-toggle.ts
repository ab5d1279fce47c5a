import { useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Optimistic toggle: shown immediately, reverted if the server refuses it. Quick clicks are sent one after the other; only
 * the last response is applied, because earlier ones are outdated on arrival. `hasFailed` is true until the next click.
 */
export function useToggle<State>({
  mutationKey,
  send,
  onFlip,
  onResponse,
  onRefused,
  onSettled = () => undefined,
  logMessage,
}: {
  /** Toggles with the same key are sent one after the other. */
  mutationKey: readonly string[]
  send: () => Promise<State>
  /** Inverts the displayed state; called again to revert it. */
  onFlip: () => void
  onResponse: (state: State) => void
  /** Not called after unmounting. */
  onRefused: (error: unknown) => void
  onSettled?: () => unknown
  /** Logged to the console: by specification, the page itself shows no error. */
  logMessage: string
}): { toggle: () => void; hasFailed: boolean } {
  const client = useQueryClient()
  const { mutate, isError } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: send,
    onMutate: onFlip,
    onError: (error) => {
      onFlip()
      console.error(logMessage, error)
    },
    onSuccess: (state) => {
      if (client.isMutating({ mutationKey }) === 1) onResponse(state)
    },
    onSettled,
  })
  return { toggle: () => mutate(undefined, { onError: onRefused }), hasFailed: isError }
}
