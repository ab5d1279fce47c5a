import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'

/** Something that a moderator does. */
export interface Action {
  run: () => Promise<unknown>
  /** Sentence about the result; a function where only `run` tells it. */
  done: string | (() => string)
  undo?: (() => Promise<unknown>) | undefined
  /** Sentence about what a failed `run` has done before the failure, if anything. `undo` takes that back. */
  partlyDone?: () => string | undefined
}

/** The result of the last action, with a function that takes it back. */
export interface Notice {
  text: string
  error?: string
  undo?: (() => void) | undefined
}

/** Performs actions one after the other, reports the last result, and refetches what is shown. */
export function useActions() {
  const client = useQueryClient()
  const [notice, setNotice] = useState<Notice>({ text: '' })
  const { mutate, isPending } = useMutation({
    scope: { id: 'administration' },
    mutationFn: ({ run }: Action) => run(),
    onMutate: () => setNotice({ text: t`Saving…` }),
    onSuccess: (_, { done, undo }) =>
      setNotice({
        text: typeof done === 'string' ? done : done(),
        undo: undo && (() => mutate({ run: undo, done: t`Undone.` })),
      }),
    onError: (error, { undo, partlyDone }) => {
      const text = partlyDone?.() ?? ''
      const undoPart = text !== '' && undo ? () => mutate({ run: undo, done: t`Undone.` }) : undefined
      setNotice({ text, error: failureMessage(error), undo: undoPart })
    },
    // hidden or deleted content may be part of every list of the site
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth' }),
  })
  return { act: mutate, notice, isPending }
}
