/** Focuses the first field of a form that has an error. */
export function focusFirstInvalid(form: HTMLFormElement, errors: Record<string, string | undefined>): void {
  const first = [...form.elements].find(
    (element) => element instanceof HTMLElement && errors[element.getAttribute('name') ?? ''] !== undefined,
  )
  if (first instanceof HTMLElement) first.focus()
}
