import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldErrors, formError } from './field-errors.ts'
import { focusFirstInvalid } from './focus-first-invalid.ts'

type Errors = Record<string, string | undefined>

interface EndpointFormOptions<Result> {
  /** Names of the fields that show their own errors. */
  fields: readonly string[]
  /** Errors by field, found before anything is sent. */
  check?: (fields: FormData, form: HTMLFormElement) => Errors
  send: (fields: FormData) => Promise<Result>
  onSuccess?: (result: Result, form: HTMLFormElement, sent: FormData) => void
  /** Message of a failure for which the server sent none. */
  fallback?: string
}

/** State of a form that calls an endpoint. */
export interface EndpointForm<Result = unknown> {
  /** Of the form element. */
  events: { onSubmit: (event: FormEvent<HTMLFormElement>) => void; onInput: () => void }
  /** Name and error of a field. */
  field: (name: string) => { name: string; error: string | undefined }
  /** Error that no field shows. */
  error: string | undefined
  isPending: boolean
  /** Whether the last sending succeeded. */
  isSent: boolean
  /** Whether everything typed is saved, once something was. */
  isSaved: boolean
  /** Whether something was typed and not saved. */
  isDirty: boolean
  result: Result | undefined
}

/** A form that is checked, sent once at a time, and has the focus in its first invalid field after an error. */
export function useEndpointForm<Result>({
  fields,
  check,
  send,
  onSuccess,
  fallback,
}: EndpointFormOptions<Result>): EndpointForm<Result> {
  const [found, setFound] = useState<Errors>({})
  const [isDirty, setDirty] = useState(false)
  const { mutate, isPending, isSuccess, error, data } = useMutation({ mutationFn: send })
  const errors: Errors = { ...fieldErrors(error), ...found }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const values = new FormData(form)
    // a field without an error must not hide that of the server
    const wrong = Object.fromEntries(
      Object.entries(check?.(values, form) ?? {}).filter(([, message]) => message !== undefined),
    )
    setFound(wrong)
    if (Object.keys(wrong).length > 0) return focusFirstInvalid(form, wrong)
    // what is typed from now on is not part of what is saved
    setDirty(false)
    mutate(values, {
      onSuccess: (result) => onSuccess?.(result, form, values),
      onError: (failure) => {
        setDirty(true)
        focusFirstInvalid(form, fieldErrors(failure))
      },
    })
  }

  return {
    events: { onSubmit, onInput: () => setDirty(true) },
    field: (name) => ({ name, error: errors[name] }),
    error: formError(error, fields, fallback),
    isPending,
    isSent: isSuccess,
    isSaved: isSuccess && !isDirty,
    isDirty,
    result: data,
  }
}
