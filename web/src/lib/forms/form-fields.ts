/** The text of a field as it was typed; empty where there is none. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}

/** The file of a field. An empty file control is read as a nameless, empty file: that is none. */
export function fileOf(fields: FormData, name: string): File | undefined {
  const value = fields.get(name)
  return value instanceof File && (value.name !== '' || value.size > 0) ? value : undefined
}
