/** Moves the focus to the first field, in the order of the form, that something is wrong with. */
export function focusFirstInvalid(form: HTMLFormElement, errors: Record<string, string | undefined>): void {
  const first = [...form.elements].find(
    (element) => element instanceof HTMLElement && errors[element.getAttribute('name') ?? ''] !== undefined,
  )
  if (first instanceof HTMLElement) first.focus()
}
