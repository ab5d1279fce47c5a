/**
 * Copies a text to the clipboard. `near` is the parent of a helper field: insecure contexts have no Clipboard API, and
 * inside a modal only its own content can be selected.
 */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The Clipboard API is missing on plain http, or its permission is denied.
    return copyBySelection(text, near)
  }
}

function copyBySelection(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;opacity:0;pointer-events:none'
  const focused = document.activeElement
  near.append(field)
  field.select()
  try {
    // Deprecated and without a successor on plain http.
    return document.execCommand('copy')
  } catch {
    // `execCommand` may be disabled; the caller shows that nothing was copied.
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
