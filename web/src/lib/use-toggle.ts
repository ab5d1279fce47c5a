import { useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Turns something on or off, shown at once and taken back when the server refuses. Quick clicks are sent one after the
 * other; only the last answer is believed, because those before it are out of date when they come.
 */
export function useToggle<State>({
  mutationKey,
  send,
  onFlip,
  onResponse,
  onRefused,
  onSettled = () => undefined,
  failure,
}: {
  /** Of what is turned on or off: one after the other are those with the same key. */
  mutationKey: readonly string[]
  send: () => Promise<State>
  /** Turns what is shown into its opposite; called a second time to take it back. */
  onFlip: () => void
  onResponse: (state: State) => void
  /** Told while the page that asked is still there. */
  onRefused: (error: unknown) => void
  onSettled?: () => unknown
  /** For the console: by specification, the page says nothing. */
  failure: string
}): () => void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: send,
    onMutate: onFlip,
    onError: (error) => {
      onFlip()
      console.error(failure, error)
    },
    onSuccess: (state) => {
      if (client.isMutating({ mutationKey }) === 1) onResponse(state)
    },
    onSettled,
  })
  return () => mutate(undefined, { onError: onRefused })
}
