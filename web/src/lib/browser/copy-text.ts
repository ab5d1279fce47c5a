/**
 * Copies a text to the clipboard. Returns whether that worked.
 *
 * Insecure contexts have no Clipboard API: the text is then copied from a hidden field in `parent`. In a modal, `parent`
 * must be inside it, because other content cannot be selected.
 */
export async function copyText(text: string, parent: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The Clipboard API is missing on plain http, or its permission is denied.
    return copyBySelection(text, parent)
  }
}

function copyBySelection(text: string, parent: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;opacity:0;pointer-events:none'
  const focused = document.activeElement
  parent.append(field)
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
