import { t } from '@lingui/core/macro'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefCallback, useRef, useState } from 'react'
import { failureMessage } from './forms/failure-message.ts'

/** Asks before an action: a title, an explanation, and the label of the button that does it. */
interface Confirmation {
  title: string
  text: string
  label: string
  /** Of the button that does nothing; "Cancel" by default. */
  cancelLabel?: string
  /** Of the button; `danger` by default. */
  variant?: 'solid'
}

interface RowActionOptions<Row> {
  run: (row: Row) => Promise<unknown>
  /** Without it the action is done without asking. */
  confirm?: (row: Row) => Confirmation
  /** Sentence about the result. */
  done: (row: Row) => string
  /** The list, which is read again after each action. */
  queryKey: QueryKey
  /** Takes it back. */
  undo?: (row: Row) => Promise<unknown>
  /** Whether the row keeps the pressed button. */
  keepsButton?: (row: Row) => boolean
}

/** An action of the rows of a list, and its last result. */
export interface RowAction<Row> {
  /** Does it, or asks first. */
  start: (row: Row) => void
  isPending: boolean
  /** Of the list, which has the focus after its button went. */
  list: RefCallback<HTMLElement>
  done: string | undefined
  error: string | undefined
  /** Takes the last action back, where that is possible. */
  undo: (() => void) | undefined
  question: (Confirmation & { confirm: () => void; cancel: () => void }) | undefined
}

/** Confirms and runs an action of a row, tells its result, reads the list again, and keeps the focus in it. */
export function useRowAction<Row>({
  run,
  confirm,
  done,
  undo,
  queryKey,
  keepsButton = () => false,
}: RowActionOptions<Row>): RowAction<Row> {
  const client = useQueryClient()
  const list = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState<Row>()
  const undoing = useMutation({
    mutationFn: (row: Row) => (undo ? undo(row) : Promise.resolve()),
    // the pressed button disappears
    onSuccess: () => list.current?.focus(),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  const { mutate, isPending, isSuccess, variables, error } = useMutation({
    mutationFn: run,
    onSuccess: (_, row) => {
      if (!keepsButton(row)) list.current?.focus()
    },
    onMutate: () => undoing.reset(),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  const cancel = () => setAsked(undefined)
  const failure = undoing.error ?? error
  return {
    start: (row) => (confirm ? setAsked(row) : mutate(row)),
    isPending: isPending || undoing.isPending,
    list: (element) => {
      list.current = element
    },
    done: undoing.isSuccess ? t`Undone.` : isSuccess && variables !== undefined ? done(variables) : undefined,
    error: failure ? failureMessage(failure) : undefined,
    undo:
      undo && isSuccess && variables !== undefined && undoing.isIdle
        ? () => undoing.mutate(variables)
        : undefined,
    question:
      confirm && asked !== undefined
        ? { ...confirm(asked), cancel, confirm: () => mutate(asked) }
        : undefined,
  }
}
