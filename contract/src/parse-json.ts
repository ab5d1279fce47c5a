/** The value of a JSON text; undefined for other text, such as the error page of a proxy. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
