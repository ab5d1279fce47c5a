import { textOf } from '../../../lib/forms/form-fields.ts'

/** Empties the form of an address that was sent, unless the next address was typed meanwhile. */
export function resetUnlessTyped(_: unknown, form: HTMLFormElement, sent: FormData): void {
  if (textOf(new FormData(form), 'url') === textOf(sent, 'url')) form.reset()
}
