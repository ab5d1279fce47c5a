/** PostgreSQL cannot store U+0000 or lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The value of a JSON text, with texts that PostgreSQL can store; undefined for what is no JSON. Editors may add a byte order mark. */
export function parseStorableJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value === 'string') return storable(value)
    makeStorable(value)
    return value
  } catch {
    return undefined
  }
}

/** Changes the texts in a value, in a fraction of the time of a reviver. Throws for one that is nested too deeply. */
function makeStorable(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  // the entries of an array take many times its memory
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const content: unknown = value[index]
      if (typeof content === 'string') value[index] = storable(content)
      else makeStorable(content)
    }
    return
  }
  for (const [name, content] of Object.entries(value)) {
    if (typeof content !== 'string') makeStorable(content)
    else if (content.includes('\0') || !content.isWellFormed())
      // an assignment to `__proto__` would change something else
      Object.defineProperty(value, name, { value: storable(content) })
  }
}
